"""Writes rules.tsv: random recurrence rules, and the dates that python-dateutil gives for them.

Written with python-dateutil 2.8.2 of Debian 12 and Python 3.11. To write it once more, in this folder:

    apt-get install python3-dateutil
    /usr/bin/python3 make.py > rules.tsv

The columns are the rule, its first date on the clock of its zone, the zone, the window in UTC
(both ends included) and the dates within the window, each with its offset from UTC. dateutil works
on the clock of the zone; the offsets are those of Python's zoneinfo: in the gap of spring the one
before the gap, and of an hour that comes twice the first (RFC 5545 section 3.3.5).

Left out, because RFC 5545 says otherwise than dateutil, or can be read in two ways:

- A first date that the rule does not match. The RFC counts it as the first date; dateutil drops it.
- BYWEEKNO without BYDAY. dateutil gives whole weeks; the RFC takes the weekday of the first date.
- BYWEEKNO of 52, 53, -52 or -53. dateutil misses days of such a week beyond the end of its year, as
  Sunday 2 January 2022 in week 52 of 2021; ics-rules.test.ts has rules for them.
- BYWEEKNO with INTERVAL. A week that two years share belongs to the interval of one or the other.
- WEEKLY with BYSETPOS from another day than the first of the week. dateutil begins to count the
  first week at the first date.
- HOURLY, MINUTELY and SECONDLY in a zone with summer time, which the RFC does not settle.
- UNTIL as a date under a first date with a time. dateutil takes it as midnight.
"""

import datetime as datetime_module
import random
import sys
from datetime import datetime, timedelta, timezone
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

SEED = 5545
RULES_OF_FREQUENCY = {
    "YEARLY": 150,
    "MONTHLY": 150,
    "WEEKLY": 90,
    "DAILY": 60,
    "HOURLY": 35,
    "MINUTELY": 25,
    "SECONDLY": 20,
}
# The time after its start in which a rule by hours, minutes or seconds is followed.
SHORT = {
    "HOURLY": timedelta(days=20),
    "MINUTELY": timedelta(days=2),
    "SECONDLY": timedelta(hours=2),
}
MOST_DATES = 16
END = datetime(2045, 1, 1)
ZONES = ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

# Ends dateutil's search for the dates of a rule that has none, such as 31 February.
datetime_module.MAXYEAR = END.year

rng = random.Random(SEED)


def some(values, most):
    return rng.sample(values, rng.randint(1, min(most, len(values))))


def around_zero(most):
    """Returns a number that counts from 1, or from -1 at the end; the extremes often."""
    return rng.choice([1, -1, most, -most, rng.randint(1, most), -rng.randint(1, most)])


def list_of(most, length):
    return sorted({around_zero(most) for _ in range(rng.randint(1, length))})


def chance(share):
    return rng.random() < share


def make_days(with_numbers, most):
    if not with_numbers or chance(0.4):
        return some(WEEKDAYS, 3)
    return sorted({f"{around_zero(most)}{rng.choice(WEEKDAYS)}" for _ in range(rng.randint(1, 3))})


def make_date_parts(frequency):
    """Returns the parts that choose days, as RFC 5545 section 3.3.10 allows them with a frequency."""
    parts = {}
    if frequency in SHORT and chance(0.6):
        return parts
    if chance(0.35):
        parts["BYMONTH"] = sorted(some(range(1, 13), 4))
    if frequency == "YEARLY" and chance(0.25):
        return {**parts, "BYWEEKNO": list_of(51, 3), "BYDAY": some(WEEKDAYS, 3)}
    if frequency in ("YEARLY", *SHORT) and chance(0.4):
        parts["BYYEARDAY"] = list_of(366, 5)
    if frequency != "WEEKLY" and chance(0.35):
        parts["BYMONTHDAY"] = list_of(31, 5)
    if chance(0.55):
        of_year = frequency == "YEARLY" and "BYMONTH" not in parts
        parts["BYDAY"] = make_days(frequency in ("YEARLY", "MONTHLY"), 53 if of_year else 5)
    return parts


def make_time_parts(frequency):
    share = 0.4 if frequency in SHORT else 0.12
    parts = {}
    if chance(share):
        parts["BYHOUR"] = sorted(some(range(24), 3))
    if chance(share):
        parts["BYMINUTE"] = sorted(some(range(0, 60, 5), 3))
    if chance(share / 2) or (frequency == "SECONDLY" and chance(0.5)):
        parts["BYSECOND"] = sorted(some(range(0, 60, 10), 3))
    return parts


def make_parts(frequency):
    parts = {"FREQ": [frequency]}
    dates = make_date_parts(frequency)
    if chance(0.4) and "BYWEEKNO" not in dates:
        parts["INTERVAL"] = [rng.choice([2, 2, 3, 4, 5, 7, 13])]
    if chance(0.35):
        parts["WKST"] = [rng.choice(WEEKDAYS)]
    parts |= dates | make_time_parts(frequency)
    if len(parts) > 1 and any(name.startswith("BY") for name in parts) and chance(0.3):
        # Of an hour, minute or second there may be only one date; a rule without any is searched long.
        most = 4 if frequency in ("YEARLY", "MONTHLY", "WEEKLY") else 1
        parts["BYSETPOS"] = list_of(most, 2)
    return parts


def make_start():
    day = rng.choice(
        [
            datetime(2024, 2, 29),
            datetime(2023, 12, 31),
            datetime(2026, 3, 28),
            datetime(2025, 10, 25),
            *[datetime(2019, 1, 1) + timedelta(days=rng.randrange(2900)) for _ in range(8)],
        ]
    )
    return day + timedelta(minutes=rng.choice([30, 150, 540, 1080, 1435]))


def text_of(parts):
    return ";".join(f"{name}={','.join(map(str, values))}" for name, values in parts.items())


def begin(parts, start):
    """Moves the start to a date that the rule matches; None where there is none in the years after."""
    rule = text_of(parts)
    for _ in range(5):
        last = start + SHORT.get(parts["FREQ"][0], timedelta(days=4400))
        try:
            first = next(iter(rrulestr(f"{rule};UNTIL={last:%Y%m%dT%H%M%S}", dtstart=start)), None)
        except ValueError:
            return None
        if first is None or first == start:
            return first
        # Parts that the rule does not give come from the start, which gives another rule.
        start = first
    return None


def is_left_out(parts, start):
    first_day = WEEKDAYS.index(parts.get("WKST", ["MO"])[0])
    return parts["FREQ"] == ["WEEKLY"] and "BYSETPOS" in parts and start.weekday() != first_day


def instant_of(wall, zone):
    return wall.replace(tzinfo=ZoneInfo(zone)).astimezone(timezone.utc)


def finish(parts, start, zone):
    """Ends a rule by COUNT or UNTIL, or not."""
    rule = text_of(parts)
    far = start + SHORT.get(parts["FREQ"][0], timedelta(days=4000))
    dates = list(islice(rrulestr(f"{rule};UNTIL={far:%Y%m%dT%H%M%S}", dtstart=start), 12))
    last = dates[rng.randrange(len(dates))]
    kind = rng.choice(["COUNT", "local", "UTC", "none", "none"])
    if kind == "COUNT":
        count = f"{rule};COUNT={rng.randint(1, 14)}"
        return count, count
    if kind == "none":
        return rule, rule
    local = f"{rule};UNTIL={last - timedelta(seconds=rng.choice([0, 0, 1])):%Y%m%dT%H%M%S}"
    if kind == "local":
        return local, local
    # dateutil reads the clock of the zone, the file says the same in UTC. An hour that comes twice
    # has two times in UTC, of which the earlier one is named here.
    return f"{rule};UNTIL={instant_of(last, zone):%Y%m%dT%H%M%SZ}", f"{rule};UNTIL={last:%Y%m%dT%H%M%S}"


def is_in_gap(wall, zone):
    return instant_of(wall, zone).astimezone(ZoneInfo(zone)).replace(tzinfo=None) != wall


def stamp(time):
    return time.isoformat(timespec="minutes" if time.second == 0 else "seconds")


def make_row(frequency):
    parts = make_parts(frequency)
    start = begin(parts, make_start())
    zone = "UTC" if frequency in SHORT else rng.choice(ZONES)
    # A series that begins in the gap is another matter than a date of it there.
    if start is None or is_left_out(parts, start) or is_in_gap(start, zone):
        return None
    written, local = finish(parts, start, zone)
    if frequency in SHORT or "COUNT" in local or chance(0.6):
        first = start
    else:
        first = start + timedelta(days=rng.randrange(3000))
    horizon = first + SHORT.get(frequency, timedelta(days=3000))
    dates = rrulestr(local, dtstart=start)
    inside = takewhile(lambda wall: wall <= horizon, (wall for wall in dates if wall >= first))
    walls = list(islice(inside, MOST_DATES + 1))
    if not walls or horizon > END:
        return None
    # The window ends at the last date listed, or far behind the end of the rule.
    to = horizon if len(walls) <= MOST_DATES else walls[MOST_DATES - 1]
    if is_in_gap(first, zone) or is_in_gap(to, zone):
        return None
    listed = [wall.replace(tzinfo=ZoneInfo(zone)) for wall in walls[:MOST_DATES]]
    window = [f"{instant_of(wall, zone):%Y-%m-%dT%H:%M:%SZ}" for wall in (first, to)]
    return "\t".join([written, f"{start:%Y%m%dT%H%M%S}", zone, *window, " ".join(map(stamp, listed))])


def main():
    for frequency, count in RULES_OF_FREQUENCY.items():
        rows = set()
        while len(rows) < count:
            row = make_row(frequency)
            if row is not None and row not in rows:
                rows.add(row)
                sys.stdout.write(f"{row}\n")


main()
