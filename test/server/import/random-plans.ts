import type { Random } from '../../support/random.ts';
import type { Expected } from './club-files/verdict.ts';
import { makeWorkbook } from './club-files/workbook-file.ts';

/** A plan with the events that its writer means. */
export type Plan = Readonly<{
  name: string;
  content: string | Uint8Array;
  /** The cells, for a message. */
  text: string;
  expected: readonly Expected[];
}>;

type Field = 'date' | 'time' | 'end' | 'name' | 'place' | 'person' | 'note';
type PairingField = 'home' | 'guest' | 'team' | 'opponent' | 'mark';
type OtherField = 'number' | 'deadline' | 'meeting' | 'email' | 'weekday' | 'status';

type Language = Readonly<{
  headings: Readonly<Record<Field | PairingField | OtherField, readonly string[]>>;
  names: readonly string[];
  places: readonly string[];
  notes: readonly string[];
  months: readonly string[];
  weekdays: readonly string[];
  cancelled: readonly string[];
  confirmed: string;
  /** Words of a mark for a match at home, and away. */
  marks: readonly (readonly [home: string, away: string])[];
  times: readonly ((hours: number, minutes: string) => string)[];
  dates: readonly ((day: Day) => string)[];
  format: string;
}>;

type Day = Readonly<{
  iso: string;
  day: number;
  month: number;
  monthName: string;
  weekday: string;
}>;

const two = (value: number) => String(value).padStart(2, '0');
const words = (text: string) => text.split(', ');

const german: Language = {
  headings: {
    date: words('Datum, Datum, Tag, Wann'),
    time: words('Uhrzeit, Zeit, Beginn, Anfang, Start'),
    end: words('Ende, Bis'),
    name: words('Veranstaltung, Titel, Anlass, Was, Thema, Event, Bezeichnung'),
    place: words('Ort, Wo, Veranstaltungsort, Raum'),
    person: words('Name, Name, Trainer, Leitung, Ansprechpartner, Verantwortlich, Name Helfer'),
    note: words('Bemerkung, Hinweis, Notiz'),
    home: words('Heim, Heimmannschaft, Heimverein'),
    guest: words('Gast, Gastmannschaft, Gastverein'),
    team: words('Mannschaft, Team'),
    opponent: words('Gegner'),
    mark: words('H/A, Heim/Auswärts'),
    number: words('Nr., Lfd. Nr.'),
    deadline: words('Anmeldeschluss, Meldeschluss'),
    meeting: words('Treffen, Abfahrt'),
    email: words('E-Mail'),
    weekday: words('Tag, Wochentag'),
    status: words('Status'),
  },
  names: words(
    'Sommerfest, Jahreshauptversammlung, Skatabend, Waldlauf, Konzert im Park, Arbeitseinsatz, Kinderturnen, Flohmarkt, Vortrag Heimatgeschichte, Grillabend',
  ),
  places: words('Vereinsheim, Turnhalle, Gasthof Linde, Marktplatz, Schützenhaus, Saal 2'),
  notes: words('bitte anmelden, Kuchen mitbringen, für alle Mitglieder'),
  months: words(
    'Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember',
  ),
  weekdays: words('So, Mo, Di, Mi, Do, Fr, Sa'),
  cancelled: words('abgesagt, fällt aus, Abgesagt'),
  confirmed: 'findet statt',
  marks: [
    ['H', 'A'],
    ['Heim', 'Auswärts'],
  ],
  times: [
    (hours, minutes) => `${two(hours)}:${minutes}`,
    (hours, minutes) => `${hours}.${minutes} Uhr`,
    (hours, minutes) => `${hours}:${minutes} Uhr`,
  ],
  dates: [
    ({ day, month }) => `${two(day)}.${two(month)}.2027`,
    ({ day, month, weekday }) => `${weekday} ${two(day)}.${two(month)}.2027`,
    ({ day, monthName }) => `${day}. ${monthName} 2027`,
    ({ day, month, weekday }) => `${weekday}., ${day}.${month}.27`,
  ],
  format: 'dd.mm.yyyy',
};

const english: Language = {
  headings: {
    date: words('Date, Date, Day, When'),
    time: words('Time, Start, Start time, From'),
    end: words('End, Until, End time'),
    name: words('Event, Title, What, Activity, Subject'),
    place: words('Place, Venue, Where, Location'),
    person: words('Name, Name, Coach, Organiser, Contact, Leader, Name of helper'),
    note: words('Notes, Remarks, Comment'),
    home: words('Home, Home team'),
    guest: words('Away, Away team, Visitors'),
    team: words('Team, Our team'),
    opponent: words('Opponent, Opposition'),
    mark: words('H/A, Home/Away'),
    number: words('No., #'),
    deadline: words('Entries close, Deadline'),
    meeting: words('Meet, Arrival'),
    email: words('Email'),
    weekday: words('Day, Weekday'),
    status: words('Status'),
  },
  names: words(
    'Summer fair, Annual meeting, Quiz night, Woodland run, Concert in the park, Working party, Junior skills, Jumble sale, Talk on local history, Barbecue',
  ),
  places: words('Clubhouse, Sports hall, The Red Lion, Market square, Scout hut, Room 2'),
  notes: words('please book, bring cake, open to all members'),
  months: words(
    'January, February, March, April, May, June, July, August, September, October, November, December',
  ),
  weekdays: words('Sun, Mon, Tue, Wed, Thu, Fri, Sat'),
  cancelled: words('Cancelled, cancelled, Canceled'),
  confirmed: 'Confirmed',
  marks: [
    ['H', 'A'],
    ['Home', 'Away'],
  ],
  times: [
    (hours, minutes) => `${two(hours)}:${minutes}`,
    (hours, minutes) => `${((hours + 11) % 12) + 1}:${minutes} ${hours < 12 ? 'am' : 'pm'}`,
    (hours, minutes) => `${((hours + 11) % 12) + 1}.${minutes}${hours < 12 ? 'am' : 'pm'}`,
  ],
  dates: [
    ({ day, month }) => `${two(day)}/${two(month)}/2027`,
    ({ iso }) => iso,
    ({ day, monthName }) => `${day} ${monthName} 2027`,
    ({ day, monthName, weekday }) => `${weekday} ${day} ${monthName} 2027`,
    ({ day, monthName }) => `${monthName} ${day}, 2027`,
  ],
  format: 'dd/mm/yyyy',
};

const french: Language = {
  headings: {
    date: words('Date, Date, Jour, Le, Quand'),
    time: words('Heure, Début, Horaire, À, À, Heure de début'),
    end: words("Fin, Heure de fin, Jusqu'à"),
    name: words('Événement, Titre, Activité, Manifestation, Quoi, Intitulé'),
    place: words('Lieu, Où, Salle'),
    person: words('Nom, Nom, Name, Responsable, Entraîneur, Contact, Animateur'),
    note: words('Remarque, Remarques, Commentaire'),
    home: words('Domicile, Recevant, Équipe domicile'),
    guest: words('Extérieur, Visiteur, Équipe visiteuse'),
    team: words('Équipe'),
    opponent: words('Adversaire'),
    mark: words('Domicile/Extérieur'),
    number: words('N°, Numéro'),
    deadline: words("Date limite, Date limite d'inscription"),
    meeting: words('RDV, Rendez-vous'),
    email: words('Courriel'),
    weekday: words('Jour'),
    status: words('Statut'),
  },
  names: words(
    "Fête d'été, Assemblée générale, Soirée belote, Course nature, Concert au parc, Journée travaux, Gym enfants, Vide-grenier, Conférence histoire, Barbecue",
  ),
  places: words('Salle polyvalente, Gymnase, Foyer rural, Place du marché, Club-house, Salle 2'),
  notes: words('sur inscription, apporter un gâteau, ouvert à tous'),
  months: words(
    'janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, novembre, décembre',
  ),
  weekdays: words('dimanche, lundi, mardi, mercredi, jeudi, vendredi, samedi'),
  cancelled: words('annulé, Annulé, annulée'),
  confirmed: 'confirmé',
  marks: [
    ['Domicile', 'Extérieur'],
    ['D', 'E'],
  ],
  times: [
    (hours, minutes) => `${hours}h${minutes}`,
    (hours, minutes) => `${two(hours)}:${minutes}`,
    (hours, minutes) => `${hours} h ${minutes}`,
  ],
  dates: [
    ({ day, month }) => `${two(day)}/${two(month)}/2027`,
    ({ day, monthName }) => `${day} ${monthName} 2027`,
    ({ day, monthName, weekday }) => `${weekday} ${day} ${monthName} 2027`,
  ],
  format: 'dd/mm/yyyy',
};

const dutch: Language = {
  headings: {
    date: words('Datum, Datum, Dag, Wanneer'),
    time: words('Tijd, Aanvang, Begin, Starttijd'),
    end: words('Einde, Tot, Eindtijd'),
    name: words('Activiteit, Evenement, Titel, Wat, Onderwerp'),
    place: words('Locatie, Plaats, Waar, Zaal'),
    person: words('Naam, Naam, Name, Trainer, Contactpersoon, Begeleider, Verantwoordelijke'),
    note: words('Opmerking, Opmerkingen, Toelichting'),
    home: words('Thuis, Thuisteam, Thuisploeg'),
    guest: words('Uit, Uitteam, Bezoekers'),
    team: words('Team, Elftal'),
    opponent: words('Tegenstander'),
    mark: words('Thuis/Uit'),
    number: words('Nr., Nummer'),
    deadline: words('Uiterste datum, Inschrijven tot'),
    meeting: words('Verzamelen, Vertrek'),
    email: words('E-mail'),
    weekday: words('Dag'),
    status: words('Status'),
  },
  names: words(
    'Zomerfeest, Ledenvergadering, Klaverjasavond, Bosloop, Concert in het park, Klusdag, Kindergym, Rommelmarkt, Lezing dorpsgeschiedenis, Barbecue',
  ),
  places: words('Clubhuis, Sporthal, Café De Zwaan, Marktplein, Kantine, Zaal 2'),
  notes: words('graag opgeven, taart meenemen, voor alle leden'),
  months: words(
    'januari, februari, maart, april, mei, juni, juli, augustus, september, oktober, november, december',
  ),
  weekdays: words('zondag, maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag'),
  cancelled: words('Afgelast, afgelast, geannuleerd'),
  confirmed: 'gaat door',
  marks: [
    ['Thuis', 'Uit'],
    ['T', 'U'],
  ],
  times: [
    (hours, minutes) => `${two(hours)}:${minutes}`,
    (hours, minutes) => `${hours}.${minutes} uur`,
    (hours, minutes) => `${hours}u${minutes}`,
  ],
  dates: [
    ({ day, month }) => `${two(day)}-${two(month)}-2027`,
    ({ day, monthName }) => `${day} ${monthName} 2027`,
    ({ day, monthName, weekday }) => `${weekday} ${day} ${monthName} 2027`,
  ],
  format: 'dd-mm-yyyy',
};

const languages = [german, english, french, dutch];
const persons = words('Uta Klein, Ali Demir, Joke Smit, Paul Roux, Ann Field, Otto Wolf');
const clubs = words('SV Au, FC Berg, TSV Cham 2, US Dorf, Eich United, AS Fontaine, VV Gouda');
const teams = words('U15, Herren 1, Damen 2, 1st XI, Seniors B, JO13-2');

/** A column: its heading, and the cell of each row as text and, in a workbook, with a format. */
type Column = Readonly<{
  heading: string;
  cells: readonly string[];
  formatted?: readonly string[];
}>;

function shuffle<T>(items: readonly T[], random: Random): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(random(rest.length), 1)[0] as T);
}

/** Returns the cell as a table separates it, quoted if it has to be. */
function quote(cell: string, separator: string): string {
  return cell.includes(separator) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Makes a plan of a club: its language, headings, their order and the forms of its values are random. */
export function makePlan(number: number, random: Random): Plan {
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
  const oneIn = (count: number) => random(count) === 0;
  const language = pick(languages);
  const { headings, months, weekdays } = language;
  const rows = Array.from({ length: 4 + random(5) }, (_, at) => at);
  const column = (field: keyof Language['headings'], cells: readonly string[]): Column => ({
    heading: pick(headings[field]),
    cells,
  });

  const dayOf = (wall: number): Day => {
    const date = new Date(wall);
    const [day, month] = [date.getUTCDate(), date.getUTCMonth() + 1];
    const [monthName = '', weekday = ''] = [months[month - 1], weekdays[date.getUTCDay()]];
    return { iso: date.toISOString().slice(0, 10), day, month, monthName, weekday };
  };
  // The first day shows whether days or months come first.
  const days = rows.map((at) =>
    dayOf(Date.UTC(2027, random(12), at === 0 ? 13 + random(16) : 1 + random(28))),
  );
  const writeDay = pick(language.dates);
  const writeTime = pick(language.times);
  const starts = rows.map(() => [8 + random(12), pick(['00', '15', '30'])] as const);
  const hasTimes = !oneIn(6);
  const hasEnds = hasTimes && oneIn(3);
  const isRange = hasEnds && oneIn(2);
  const timeOf = ([hours, minutes]: readonly [number, string], later = 0) =>
    `${two(hours + later)}:${minutes}`;

  const columns: Column[] = [
    {
      ...column('date', days.map(writeDay)),
      formatted: days.map(({ iso }) => `${iso}#${language.format}`),
    },
  ];
  const [dateHeading = ''] = columns.map(({ heading }) => heading);
  if (hasTimes) {
    const cells = starts.map(([hours, minutes]) =>
      isRange
        ? `${writeTime(hours, minutes)} - ${writeTime(hours + 2, minutes)}`
        : writeTime(hours, minutes),
    );
    const formatted = starts.map((start) => `${timeOf(start)}#hh:mm`);
    columns.push({ ...column('time', cells), ...(!isRange && { formatted }) });
  }
  if (hasEnds && !isRange) {
    const cells = starts.map(([hours, minutes]) => writeTime(hours + 2, minutes));
    const formatted = starts.map((start) => `${timeOf(start, 2)}#hh:mm`);
    columns.push({ ...column('end', cells), formatted });
  }

  const isAway = rows.map(() => oneIn(2));
  const opponents = rows.map(() => pick(clubs));
  let names: (readonly string[])[];
  const kind = random(10);
  if (kind < 6) {
    const cells = rows.map(() => pick(language.names));
    columns.push(column('name', cells));
    names = cells.map((name) => [name]);
  } else if (kind === 6) {
    const pairs = rows.map(() => shuffle(clubs, random).slice(0, 2) as [string, string]);
    columns.push(
      column(
        'home',
        pairs.map(([home]) => home),
      ),
    );
    columns.push(
      column(
        'guest',
        pairs.map(([, guest]) => guest),
      ),
    );
    names = pairs.map(([home, guest]) => [`${home} – ${guest}`]);
  } else if (kind === 7) {
    const own = rows.map(() => pick(teams));
    columns.push(column('team', own), column('opponent', opponents));
    names = rows.map((at) => [`${own[at]} – ${opponents[at]}`]);
  } else if (kind === 8) {
    columns.push(column('opponent', opponents));
    const marks = pick(language.marks);
    const cells = isAway.map((away) => marks[away ? 1 : 0]);
    columns.push(column('mark', cells));
    names = rows.map((at) => [
      `${opponents[at]} (${cells[at]})`,
      `${opponents[at]} (${isAway[at] ? 'A' : 'H'})`,
    ]);
  } else {
    columns.push(column('opponent', opponents));
    const mark = pick(['x', 'X', '✓']);
    columns.push({
      heading: headings.home[0] ?? '',
      cells: isAway.map((away) => (away ? '' : mark)),
    });
    columns.push({
      heading: headings.guest[0] ?? '',
      cells: isAway.map((away) => (away ? mark : '')),
    });
    names = rows.map((at) => [`${opponents[at]} (${isAway[at] ? 'A' : 'H'})`]);
  }

  const places = rows.map(() => (oneIn(3) ? '' : pick(language.places)));
  const hasPlaces = !oneIn(4);
  if (hasPlaces) columns.push(column('place', places));
  if (!oneIn(3))
    columns.push(
      column(
        'person',
        rows.map(() => pick(persons)),
      ),
    );
  if (oneIn(3))
    columns.push(
      column(
        'note',
        rows.map(() => (oneIn(2) ? '' : pick(language.notes))),
      ),
    );
  if (oneIn(5))
    columns.push(
      column(
        'number',
        rows.map((at) => String(at + 1)),
      ),
    );
  if (oneIn(8)) {
    columns.push(
      column(
        'deadline',
        days.map(({ iso }) => writeDay(dayOf(Date.parse(iso) - 864_000_000))),
      ),
    );
  }
  if (oneIn(8) && hasTimes) {
    columns.push(
      column(
        'meeting',
        starts.map(([hours, minutes]) => writeTime(hours - 1, minutes)),
      ),
    );
  }
  if (oneIn(8))
    columns.push(
      column(
        'email',
        rows.map((at) => `a${at}@example.org`),
      ),
    );
  if (oneIn(5)) {
    const weekday = column(
      'weekday',
      days.map((day) => day.weekday),
    );
    if (weekday.heading !== dateHeading) columns.push(weekday);
  }
  const isCancelled = rows.map(() => oneIn(4));
  const hasStatus = oneIn(4);
  if (hasStatus) {
    const cells = isCancelled.map((is) => (is ? pick(language.cancelled) : language.confirmed));
    columns.push(column('status', cells));
  }

  const expected = rows.map((at): Expected => {
    const start = starts[at] as readonly [number, string];
    const day = days[at]?.iso ?? '';
    return {
      day,
      time: hasTimes ? timeOf(start) : '',
      names: names[at] ?? [],
      places: [hasPlaces ? (places[at] ?? '') : ''],
      end: hasEnds ? `${day} ${timeOf(start, 2)}` : '',
      isCancelled: hasStatus && isCancelled[at] === true,
      note: '',
    };
  });

  const shown = shuffle(columns, random);
  const title = oneIn(5) ? [[`${pick(clubs)} 2027`]] : [];
  const tableOf = (cellOf: (column: Column, at: number) => string) => [
    ...title,
    shown.map(({ heading }) => heading),
    ...rows.map((at) => shown.map((one) => cellOf(one, at))),
  ];
  const isWorkbook = oneIn(4);
  const separator = isWorkbook ? ' | ' : pick([';', ';', ',', '\t']);
  const cells = tableOf(
    (one, at) => (isWorkbook ? one.formatted : undefined)?.[at] ?? one.cells[at] ?? '',
  );
  const text = cells
    .map((row) => row.map((cell) => quote(cell, separator)).join(separator))
    .join('\r\n');
  return isWorkbook
    ? { name: `plan-${number}.xlsx`, content: makeWorkbook({ Plan: cells }), text, expected }
    : { name: `plan-${number}.csv`, content: text, text, expected };
}
