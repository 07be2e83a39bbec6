# For test suites written in bash, which source this file: verdicts and closing lines as cmocka
# prints them, so that scripts/check counts all tests alike.
suite_passed=0
suite_failed=()

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

# Prints the closing lines and ends the suite.
finish() {
    echo "[==========] $((suite_passed + ${#suite_failed[@]})) test(s) run."
    echo "[  PASSED  ] $suite_passed test(s)."
    [ ${#suite_failed[@]} -gt 0 ] || exit 0
    echo "[  FAILED  ] ${#suite_failed[@]} test(s), listed below:"
    printf '[  FAILED  ] %s\n' "${suite_failed[@]}"
    exit 1
}
