#include "base/file.h"
#include "report/table.h"
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include "report_arm_case.h"
int main(void)
{
    char *text;
    make_arm_result();
    for (int k = 0; k < 2; k++) {
        const ArcResult *r = k == 0 ? &arm_result : &arm_joint_result;
        arc_report_text(r, false, &text, NULL);
        puts(text);
        arc_text_free(text);
        puts("=====compare");
        arc_report_comparison_text(1, &r, &text, NULL);
        puts(text);
        arc_text_free(text);
        if (k == 0) {
        arc_report_json(1, &r, false, &text, NULL);
        puts(strstr(text, "\"arm\""));
        arc_text_free(text);}
    }
    return 0;
}
