"""Writes repetitions.tsv: random repetitions, and the days that python-dateutil gives for them.

Written with python-dateutil 2.8.2 of Debian 12 and Python 3.11. To write it once more, in this folder:

    apt-get install python3-dateutil
    /usr/bin/python3 make.py > repetitions.tsv

The columns are the unit, the interval, the weekdays (0 is Sunday), the weekday of the month, the day of
the month, the first day, the last day or the number of dates, and the days from the first one on, in days
after it. The first day fits the rule, as dateutil drops one that does not.
"""

import random
from datetime import date, datetime, timedelta

from dateutil import rrule

SEED = 33
RULES = 2000
DAYS = [rrule.SU, rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA]
UNITS = {"day": rrule.DAILY, "week": rrule.WEEKLY, "month": rrule.MONTHLY, "year": rrule.YEARLY}

rng = random.Random(SEED)


def sunday_first(day):
    return (day.weekday() + 1) % 7


def fits(day, weekdays, nth, month_day):
    if nth is not None:
        last = (day + timedelta(days=7)).month != day.month
        return sunday_first(day) in weekdays and (last if nth == -1 else (day.day + 6) // 7 == nth)
    if month_day is not None:
        return day.day == month_day
    return not weekdays or sunday_first(day) in weekdays


def write_rule():
    unit = rng.choice(["day", "week", "week", "month", "month", "year"])
    interval = rng.choice([1, 1, 1, 2, 2, 3, 4, 14 if unit == "day" else 5])
    weekdays, nth, month_day = [], None, None
    if unit == "week":
        weekdays = sorted(rng.sample(range(7), rng.choice([0, 1, 1, 2, 3])))
    if unit in ("month", "year") and rng.random() < 0.5:
        weekdays, nth = [rng.randrange(7)], rng.choice([1, 2, 3, 4, 5, -1])
    elif unit == "month" and rng.random() < 0.7:
        month_day = rng.choice([1, 15, 28, 29, 30, 31, rng.randint(1, 31)])
    day = date(2023, 1, 1) + timedelta(days=rng.randrange(365 * 6))
    if rng.random() < 0.05:
        day = date(rng.choice([2024, 2028]), 2, 29)
    while not fits(day, weekdays, nth, month_day):
        day += timedelta(days=1)
    options = {"interval": interval, "dtstart": datetime.combine(day, datetime.min.time())}
    if nth is not None:
        options["byweekday"] = DAYS[weekdays[0]](nth)
        if unit == "year":
            options["bymonth"] = day.month
    elif weekdays:
        options["byweekday"] = [DAYS[each] for each in weekdays]
    elif unit in ("month", "year"):
        options["bymonthday"] = month_day or day.day
        if unit == "year":
            options["bymonth"] = day.month
    # Two years later; 28 February follows 29 February as 1 March does for JavaScript.
    limit = date(day.year + 2, 3, 1) if (day.month, day.day) == (2, 29) else day.replace(year=day.year + 2)
    if rng.random() < 0.5:
        count, until = rng.randint(1, 40), ""
        last = limit
    else:
        count, last = "", day + timedelta(days=rng.randrange(400))
        until = last.isoformat()
    found = rrule.rrule(UNITS[unit], until=datetime.combine(last, datetime.min.time()), **options)
    days = [(each.date() - day).days for each in found]
    if count:
        days = days[:count]
    columns = [unit, interval, ",".join(map(str, weekdays)), "" if nth is None else nth, month_day or ""]
    print(*columns, day.isoformat(), until or count, ",".join(map(str, days)), sep="\t")


for _ in range(RULES):
    write_rule()
