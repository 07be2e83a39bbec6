#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "swing_case.h"
static void test_try(void **state)
{
    (void)state;
    static SwingCase c;
    const char *e=getenv("SEED");
    SwingSight s = swing_usual; s.seed = e?(uint64_t)atoi(e):0;
    swing_case(SWING_TRUTH, 0.3, 0.9, s, &c);
    for (int i=0;i<c.swing.n_numbers;i+= 4) printf("%.4f  elbow %.4f %.4f hand %.4f %.4f\n", c.time_s[c.numbers[i].row], c.numbers[i].value, c.numbers[i+1].value,c.numbers[i+2].value,c.numbers[i+3].value);
    ArcMethod ms[]={ARC_DIRECT,ARC_PINN};
    for (int m=0;m<2;m++){
    ArcProblem *problem = case_problem(SWING_FIT, &c.seen);
    ArcFit *fit=NULL; ArcError err;
    if (arc_fit_run(problem, ms[m], NULL, &fit, &err) != ARC_OK) fail_msg("%s", err.text);
    printf("converged %d iterations %d chi2 %g dof %d wall %g ms stop %d %s\n", fit->converged, fit->iterations, fit->residuals.chi2, fit->residuals.dof, fit->wall_s*1e3,(int)fit->stop, fit->stop_note?fit->stop_note:"");
    for (int i=0;i<fit->n_parameters;i++) if (fit->parameters[i].free_index>=0) printf("  %s %g +- %g start %g\n", fit->parameters[i].name, fit->parameters[i].value, fit->parameters[i].sd, fit->parameters[i].start);
    for (int i=0;i<fit->n_history;i++) printf("  it %d cost %g step %g obs %g phys %g\n", fit->history[i].iteration, fit->history[i].cost, fit->history[i].step_sd, fit->history[i].observations, fit->history[i].physics);
    double best=1e9; for(int k=0;k<20;k++){ArcFit *f=NULL; arc_fit_run(problem,ms[m],NULL,&f,&err); if(f->wall_s<best)best=f->wall_s; arc_fit_free(f);} printf("best wall %g ms\n",1e3*best);
    arc_fit_free(fit); arc_problem_free(problem);
    }
    swing_free(&c);
}
int main(void){ const struct CMUnitTest t[]={cmocka_unit_test(test_try)}; return cmocka_run_group_tests(t,NULL,NULL);}
