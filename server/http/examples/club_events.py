"""Reads the events of a club from Club Events. Copy this file beside your script.

    from club_events import ClubEvents

    club = ClubEvents("http://127.0.0.1:28470", "KEY")
    for event in club.events(q="relay", sort="date", order="asc"):
        print(event["date"], event["name"])
    for changes in club.changes():          # runs until it is stopped
        print(changes["events"], changes["removed"])

Needs Python 3.8 or newer and no other package.
"""
import json
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener


class Problem(Exception):
    """A refused request. `code` is stable; the text says what to do."""

    def __init__(self, status, code, detail):
        super().__init__(detail)
        self.status, self.code = status, code


class ClubEvents:
    def __init__(self, base_url, key):
        self._base = base_url.rstrip("/")
        self._headers = {"Authorization": "Bearer " + key}
        # A proxy would get the key, and cannot reach this computer.
        local = self._base.startswith(("http://127.", "http://[::1]", "http://localhost"))
        self._opener = build_opener(*([ProxyHandler({})] if local else []))

    def _get(self, url, **headers):
        request = Request(url, headers={**self._headers, **headers})
        try:
            with self._opener.open(request, timeout=90) as answer:
                return json.load(answer), answer.headers
        except HTTPError as error:
            try:
                body = json.loads(error.read().decode("utf-8"))
            except (ValueError, OSError, HTTPException):
                body = {}
            raise Problem(error.code, body.get("code"), body.get("detail", str(error))) from None

    def _pages(self, parameters, **headers):
        query = urlencode(parameters)
        url = self._base + "/v1/events" + ("?" + query if query else "")
        while url:
            page, headers_of_page = self._get(url, **headers)
            yield page, headers_of_page
            link = headers_of_page["Link"]
            url = link[link.index("<") + 1 : link.index(">")] if link else None

    def events(self, **parameters):
        """Yields all events that match, such as status="active" or to="2027-01-01"."""
        for page, _ in self._pages(parameters):
            yield from page["events"]

    def event(self, id):
        """Returns one event; raises a Problem with the code "event_not_found" if there is none."""
        return self._get("%s/v1/events/%d" % (self._base, id))[0]["event"]

    def changes(self, since=None, wait=50):
        """Waits for changes and yields {"events", "removed", "reset", "since"} until it is stopped.

        Begins with the whole list if `since` is None. Store "since" after your work, and give it
        at the next start. After a restore, the whole list comes again, with "reset": True.
        """
        while True:
            parameters = {} if since is None else {"since": since}
            preference = {} if since is None else {"Prefer": "wait=%d" % wait}
            found = {"events": [], "removed": [], "reset": since is None, "since": None}
            try:
                for page, headers in self._pages(parameters, **preference):
                    found["since"] = found["since"] or headers["Events-Revision"]
                    found["events"] += page["events"]
                    found["removed"] += page.get("removed", [])
                    has_waited = "Preference-Applied" in headers
            except Problem as problem:
                if problem.status == 410:
                    since = None
                elif problem.status < 500:
                    raise
                time.sleep(1)
                continue
            # The service starts, the computer wakes up, or an answer is cut off or is no JSON.
            except (OSError, HTTPException, ValueError):
                time.sleep(5)
                continue
            since = found["since"]
            if found["events"] or found["removed"] or found["reset"]:
                yield found
            elif not has_waited:  # Too many clients wait at the moment.
                time.sleep(wait)
