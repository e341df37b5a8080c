"""Reads calendars with libraries made by others.

Takes a JSON list of calendars on standard input, and writes a JSON list of the events of each: name and
day, or name and time in UTC. The argument names the library: icalendar, recurring_ical_events or libical.
"""

import datetime
import json
import sys


def start_of(moment):
    if not isinstance(moment, datetime.datetime):
        return moment.isoformat()
    return moment.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def read_icalendar(text):
    import icalendar

    events = icalendar.Calendar.from_ical(text).walk("VEVENT")
    return [[str(event["SUMMARY"]), start_of(event["DTSTART"].dt)] for event in events]


def read_recurring(text):
    import icalendar
    import recurring_ical_events

    calendar = icalendar.Calendar.from_ical(text)
    events = recurring_ical_events.of(calendar).between((2026, 1, 1), (2028, 1, 1))
    return [[str(event["SUMMARY"]), start_of(event["DTSTART"].dt)] for event in events]


def read_libical(text):
    import gi

    gi.require_version("ICalGLib", "3.0")
    from gi.repository import ICalGLib

    calendar = ICalGLib.Component.new_from_string(text)
    definition = calendar.get_first_component(ICalGLib.ComponentKind.VTIMEZONE_COMPONENT)
    zone = ICalGLib.Timezone.new()
    if definition is not None:
        zone.set_component(definition.clone())
    events = []
    kind = ICalGLib.ComponentKind.VEVENT_COMPONENT
    event = calendar.get_first_component(kind)
    while event is not None:
        time = event.get_first_property(ICalGLib.PropertyKind.DTSTART_PROPERTY).get_dtstart()
        if time.is_date():
            moment = datetime.date(time.get_year(), time.get_month(), time.get_day())
        else:
            seconds = time.as_timet() if time.is_utc() else time.as_timet_with_zone(zone)
            moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
        events.append([event.get_summary(), start_of(moment)])
        event = calendar.get_next_component(kind)
    return events


readers = {
    "icalendar": read_icalendar,
    "recurring_ical_events": read_recurring,
    "libical": read_libical,
}
read = readers[sys.argv[1]]
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
