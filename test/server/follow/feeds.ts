import type { Random } from '../../support/random.ts';

/** An event as the people who keep a calendar know it. */
export type TrueEvent = {
  readonly id: number;
  readonly name: string;
  /** The start in minutes since the first day. */
  readonly start: number;
  readonly place: string;
  readonly isCancelled: boolean;
};

/** The habits of a service that gives out a calendar. */
export type Feed = {
  readonly name: string;
  /**
   * `new` gives other UIDs at each download, `position` those of the places in the list, and `shared`
   * one UID to all events of a name.
   */
  readonly uid: 'stable' | 'new' | 'position' | 'shared';
  readonly time: 'UTC' | 'zone' | 'windows' | 'floating' | 'zone UTC';
  /** True for a service that has the word for a cancellation in names, and no status. */
  readonly cancelsInName?: boolean;
  readonly hasLastModified?: boolean;
  readonly hasSequence?: boolean;
  /** A link in the note of each event, as its identifier. */
  readonly hasLink?: boolean;
  readonly head?: readonly string[];
  readonly eventLines?: readonly string[];
  readonly lineEnd?: '\n';
  readonly hasMark?: boolean;
  readonly isFolded?: boolean;
  readonly hasPast?: boolean;
};

const zoned = { uid: 'stable', time: 'zone' } as const;
const utc = { uid: 'stable', time: 'UTC' } as const;

/** The habits of 25 services. */
export const feeds: readonly Feed[] = [
  { name: 'Google', ...utc, hasLastModified: true, hasSequence: true, head: ['METHOD:PUBLISH'] },
  { name: 'Google, one UID for several', uid: 'shared', time: 'UTC' },
  { name: 'Outlook', uid: 'stable', time: 'windows', head: ['METHOD:PUBLISH'] },
  { name: 'Outlook, categories', uid: 'stable', time: 'windows', eventLines: ['CATEGORIES:Blue'] },
  {
    name: 'iCloud',
    ...zoned,
    hasLastModified: true,
    eventLines: ['X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="A\nB":geo:48.1,11.5'],
  },
  { name: 'Nextcloud', ...zoned, hasLastModified: true, hasSequence: true, isFolded: true },
  { name: 'TeamSnap', ...utc, hasLastModified: true, hasLink: true },
  { name: 'ClubDesk', ...zoned, cancelsInName: true },
  { name: 'hitobito', uid: 'new', time: 'UTC', cancelsInName: true },
  { name: 'hitobito with links', uid: 'new', time: 'UTC', cancelsInName: true, hasLink: true },
  { name: 'floating times', uid: 'stable', time: 'floating' },
  { name: 'floating times and new UIDs', uid: 'new', time: 'floating' },
  { name: 'TZID=UTC with Z', uid: 'stable', time: 'zone UTC' },
  { name: 'UIDs by position', uid: 'position', time: 'UTC' },
  { name: 'UIDs by position, with links', uid: 'position', time: 'zone', hasLink: true },
  { name: 'a byte order mark', ...zoned, hasMark: true },
  { name: 'LF alone', ...utc, lineEnd: '\n' },
  { name: 'handball', ...zoned, cancelsInName: true, hasLastModified: true },
  { name: 'football with all past matches', ...zoned, hasPast: true },
  { name: 'a spreadsheet service', uid: 'new', time: 'zone' },
  { name: 'a hall plan', uid: 'shared', time: 'zone' },
  {
    name: 'WordPress',
    ...utc,
    hasLastModified: true,
    head: ['REFRESH-INTERVAL;VALUE=DURATION:PT1H'],
  },
  { name: 'a misplaced colon', ...utc, head: ['REFRESH-INTERVAL:VALUE=DURATION:PT1H'] },
  { name: 'no SEQUENCE that grows', ...utc, eventLines: ['SEQUENCE:0'] },
  { name: 'alarms', ...zoned, eventLines: ['BEGIN:VALARM', 'TRIGGER:-PT1H', 'END:VALARM'] },
];

export const zone = 'Europe/Berlin';
/** Berlin has UTC+1 from here to the end of March. */
const firstDay = Date.UTC(2036, 10, 1);

export const startOf = ({ start }: Pick<TrueEvent, 'start'>): Date =>
  new Date(firstDay + start * 60_000);

const digits = (date: Date) => date.toISOString().replace(/[-:]|\.\d+/g, '');

function timeLine(feed: Feed, event: TrueEvent): string {
  const at = startOf(event);
  const local = digits(new Date(at.getTime() + 3_600_000)).slice(0, -1);
  switch (feed.time) {
    case 'UTC':
      return `DTSTART:${digits(at)}`;
    case 'zone':
      return `DTSTART;TZID=${zone}:${local}`;
    case 'windows':
      return `DTSTART;TZID=W. Europe Standard Time:${local}`;
    case 'floating':
      return `DTSTART:${local}`;
    case 'zone UTC':
      return `DTSTART;TZID=UTC:${digits(at)}`;
  }
}

/** Writes a calendar with the habits of its service. */
export function writeFeed(
  feed: Feed,
  events: readonly TrueEvent[],
  {
    random,
    now,
    changedAt,
  }: {
    readonly random: Random;
    readonly now: number;
    readonly changedAt: ReadonlyMap<number, number>;
  },
): string {
  const stamp = digits(new Date(now));
  const uidOf = (event: TrueEvent, at: number) => {
    switch (feed.uid) {
      case 'stable':
        return `event-${event.id}@service`;
      case 'new':
        return `${random(1_000_000_000)}-${at}`;
      case 'position':
        return `row-${at}`;
      case 'shared':
        return `name-${event.name}`;
    }
  };
  const shown = feed.hasPast
    ? events
    : events.filter((event) => startOf(event).getTime() > now - 86_400_000);
  const sorted = shown.toSorted((one, other) => one.start - other.start);
  const blocks = sorted.flatMap((event, at) => {
    const isNamed = event.isCancelled && feed.cancelsInName;
    const changed = digits(new Date(changedAt.get(event.id) ?? firstDay - 1e9));
    const summary = `SUMMARY:${isNamed ? 'Abgesagt: ' : ''}${event.name}`;
    return [
      'BEGIN:VEVENT',
      `UID:${uidOf(event, at)}`,
      `DTSTAMP:${stamp}`,
      timeLine(feed, event),
      feed.isFolded ? `${summary.slice(0, 12)}\r\n ${summary.slice(12)}` : summary,
      `LOCATION:${event.place}`,
      ...(feed.hasLastModified ? [`LAST-MODIFIED:${changed}`] : []),
      ...(feed.hasSequence ? [`SEQUENCE:${random(4)}`] : []),
      ...(feed.hasLink ? [`DESCRIPTION:https://service.example/events/${event.id}`] : []),
      ...(event.isCancelled && !feed.cancelsInName ? ['STATUS:CANCELLED'] : []),
      ...(feed.eventLines ?? []),
      'END:VEVENT',
    ];
  });
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//service//', 'X-WR-CALNAME:Fixtures'],
    ...(feed.head ?? []),
    ...blocks,
    'END:VCALENDAR',
    '',
  ];
  return (feed.hasMark ? '\uFEFF' : '') + lines.join(feed.lineEnd ?? '\r\n');
}
