# For test suites written in bash, which source this file: verdicts and closing lines as cmocka
# prints them, so that scripts/check counts all tests alike.
suite_passed=0
suite_failed=()
suite_skipped=()

# Ends one test; OK is an exit status, 0 where the test passed.
verdict() { # NAME OK
    if [ "$2" -eq 0 ]; then
        echo "[       OK ] $1"
        suite_passed=$((suite_passed + 1))
    else
        echo "[  FAILED  ] $1"
        suite_failed+=("$1")
    fi
}

# Ends one test that cannot be run here.
skip() { # NAME REASON
    echo "[  SKIPPED ] $1: $2"
    suite_skipped+=("$1")
}

# Prints the closing lines and ends the suite.
finish() {
    echo "[==========] $((suite_passed + ${#suite_failed[@]} + ${#suite_skipped[@]})) test(s) run."
    echo "[  PASSED  ] $suite_passed test(s)."
    if [ ${#suite_skipped[@]} -gt 0 ]; then
        echo "[  SKIPPED ] ${#suite_skipped[@]} test(s), listed below:"
        printf '[  SKIPPED ] %s\n' "${suite_skipped[@]}"
    fi
    [ ${#suite_failed[@]} -gt 0 ] || exit 0
    echo "[  FAILED  ] ${#suite_failed[@]} test(s), listed below:"
    printf '[  FAILED  ] %s\n' "${suite_failed[@]}"
    exit 1
}
