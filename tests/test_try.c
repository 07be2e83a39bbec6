#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "fit_case.h"
static void one(const char*name,const char*truth,const char*fit,int n,double span,const char*pinn)
{
    ArcCapture *c = case_capture(truth,n,span,0.003);
    char text[2048]; snprintf(text,sizeof text,"%sfit: {pinn: {%s}}\n",fit,pinn);
    ArcFit *p=case_fit(text,c,ARC_PINN),*d=case_fit(text,c,ARC_DIRECT);
    CaseGap g=case_gap(p,d);
    print_message("%-14s %-60s conv %d fine %.2e gap %.1e sd %.1e it %d stop %s wall %.3f rank?\n",name,pinn,p->converged,p->residuals.physics_rms_fine_m_s2/p->residuals.sigma_phys_m_s2,g.estimate_sd,g.sd_share,p->iterations,arc_stop_text(p->stop),p->wall_s);
    arc_fit_free(p);arc_fit_free(d);arc_capture_free(c);
}
#define DRAG "flight: {dimensions: 2, drag: lumped}\n"
#define GOLF "flight: {dimensions: 3, ball: golf, drag: quadratic, lift: linear}\n"
static void t(void**s){(void)s;
 const char*nets[]={"tanh-24","silu-16","tanh-48","tanh-96","tanh-160"}; int ws[]={1,2,4,8,16};
 for(int a=0;a<3;a++)for(int b=0;b<5;b++){ if(a==2&&ws[b]>8)continue;
  char pinn[200]; snprintf(pinn,200,"net: nets/%s.yaml, windows: %d",nets[a],ws[b]);
  one("badm 100 1.5s",CASE_HEAD DRAG "parameters: {k: 0.2, x0: 0, y0: 2, vx0: 100, vy0: 5}\n",CASE_HEAD DRAG "parameters: {k: {start: 0.1}}\n",40,1.5,pinn);
  one("badm 100 6s",CASE_HEAD DRAG "parameters: {k: 0.2, x0: 0, y0: 2, vx0: 100, vy0: 5}\n",CASE_HEAD DRAG "parameters: {k: {start: 0.1}}\n",60,6,pinn);
  one("drag 10s",CASE_HEAD DRAG "parameters: {k: 0.03, x0: 0, y0: 2, vx0: 30, vy0: 40}\n",CASE_HEAD DRAG "parameters: {k: {start: 0.1}}\n",60,10,pinn);
  one("golf 6s",CASE_HEAD GOLF "parameters: {cd: 0.25, cm: 1, wx: 20, wy: -300, wz: 10, x0: 0, y0: 0, z0: 0, vx0: 66.4, vy0: 1, vz0: 14}\n",CASE_HEAD GOLF "parameters: {cd: {start: 0.3}, cm: 1, wx: {start: 0, prior: {mean: 0, sd: 300}}, wy: {start: 0, prior: {mean: 0, sd: 300}}, wz: {start: 0, prior: {mean: 0, sd: 300}}}\n",60,6,pinn);
 }}
int main(void){const struct CMUnitTest tests[]={cmocka_unit_test(t)};return cmocka_run_group_tests(tests,NULL,NULL);}
