"""An independent verifier, written from docs/reference alone. Python 3.8 or newer, no packages.

    verify.py FILE [KEYS]     one check file: exit code 0 true, 1 false, 2 not readable
    verify.py --batch         JSON lines on stdin, one JSON line for each on stdout

A line is {"id": …, "check": "order" | "money" | "register" | "consistency" | "cosignatures", "paths": [FILE, …]}.
"""

import json
import sys

from checks import check_consistency, check_cosignatures, check_money, check_order, check_register
from plain import Refused, Unreadable, read_json

CHECKS = {
    "order": check_order,
    "money": check_money,
    "register": check_register,
    "consistency": check_consistency,
    "cosignatures": check_cosignatures,
}


def read_file(path):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return read_json(file.read())


def check_file(file, keys=None):
    """Checks a file of either kind."""
    is_money = type(file) is dict and file.get("format") == "fairwick-money"
    return (check_money if is_money else check_order)(file, keys)


def judge(check, *paths):
    """Returns the exit code and the verdict, or what could not be read."""
    try:
        facts = check(*map(read_file, paths))
        return 0, (facts or {}).get("result", "true")
    except Refused as refused:
        return 1, str(refused)
    except (Unreadable, OSError, ValueError, RecursionError) as error:
        return 2, str(error)


def main(arguments):
    if arguments == ["--batch"]:
        for line in sys.stdin:
            request = json.loads(line)
            code, verdict = judge(CHECKS[request["check"]], *request["paths"])
            print(json.dumps({"id": request["id"], "code": code, "verdict": verdict}))
        return 0
    if len(arguments) not in (1, 2):
        print("usage: verify.py FILE [KEYS]")
        return 2
    code, verdict = judge(check_file, *arguments)
    print(("true:", "false:", "not readable:")[code], verdict)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
