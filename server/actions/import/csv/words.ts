import type { EventStatus, EventType } from '../../../../db/model.ts';
import type { EventField } from '../source.ts';

/**
 * A name or a word as it is compared: without case, accents, blanks, hyphens, underscores and
 * apostrophes.
 */
export function normalizeWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\p{M}\s_\-'’\u200b\ufeff]+/gu, '')
    .toLowerCase();
}

/** What a column may hold: a field, or the time of day of the date in another column. */
export type ColumnKind = EventField | 'time';

/** Names of columns in English, German, French and Dutch, beside the names of the fields. */
const columnNames: Readonly<Record<ColumnKind, string>> = {
  id: 'event id, Veranstaltungs-ID, Termin-ID',
  name: 'title, event, event name, event title, Titel, Veranstaltung, Bezeichnung, nom, titre, intitulé, événement, nom de l’événement, naam, evenement, activiteit',
  date: 'start, start date, date start, event date, when, Datum, Beginn, Startdatum, Veranstaltungsdatum, wann, début, date de début, quand, aanvang, begin, begindatum, wanneer',
  location:
    'place, venue, where, Ort, Veranstaltungsort, wo, lieu, endroit, où, plaats, locatie, waar',
  description: 'Beschreibung, descriptif, omschrijving, beschrijving',
  status: 'event status, statut',
  eventType:
    'type, event type, Typ, Art, Veranstaltungsart, Veranstaltungstyp, type d’événement, soort, evenementtype',
  registrationOpen:
    'open for registration, Anmeldung offen, Anmeldung möglich, inscription ouverte, inscriptions ouvertes, inschrijving open, inschrijvingen open, aanmelding open',
  createdAt:
    'created, created on, creation date, date created, erstellt, erstellt am, angelegt am, Erstellungsdatum, créé, créé le, date de création, aangemaakt, aangemaakt op, aanmaakdatum',
  time: 'start time, Uhrzeit, Zeit, Startzeit, Anfangszeit, heure, heure de début, horaire, tijd, tijdstip, begintijd, aanvangstijd',
};

const statusWords: Readonly<Record<EventStatus, string>> = {
  draft: 'Entwurf, brouillon, concept',
  active: 'aktiv, actif, active, actief',
  completed:
    'complete, done, finished, abgeschlossen, beendet, terminé, terminée, achevé, afgerond, afgelopen',
  cancelled: 'canceled, abgesagt, storniert, annulé, annulée, geannuleerd, afgelast',
};

const typeWords: Readonly<Record<EventType, string>> = {
  national: 'nationale, nationaal',
  international: 'internationale, internationaal',
  regional: 'régional, régionale, regionaal, regionale',
  club: 'Verein, vereinsintern, association, vereniging',
};

const booleanWords = {
  true: 'yes, y, 1, x, ja, j, wahr, oui, o, vrai, waar, offen, open',
  false: 'no, n, 0, nein, falsch, non, faux, nee, onwaar, geschlossen, closed',
} as const;

/** What each word stands for, its own name included. */
function indexWords<Meaning extends string>(
  words: Readonly<Record<Meaning, string>>,
): ReadonlyMap<string, Meaning> {
  return new Map(
    (Object.entries(words) as [Meaning, string][]).flatMap(([meaning, list]) =>
      [meaning, ...list.split(', ')].map((word) => [normalizeWord(word), meaning] as const),
    ),
  );
}

const columnsByName = indexWords(columnNames);
const statusesByWord = indexWords(statusWords);
const typesByWord = indexWords(typeWords);
const booleansByWord = indexWords(booleanWords);

/** What a column of this name holds, as far as its name tells. */
export function kindOfColumn(name: string): ColumnKind | undefined {
  return columnsByName.get(normalizeWord(name));
}

/** A word as it is refused: what was written, without case and blanks around. */
function asWritten(cell: string): string {
  return cell.trim().toLowerCase();
}

/** The status that a cell tells in any of the languages, or the cell itself, to be refused. */
export function readStatus(cell: string): string {
  return statusesByWord.get(cell) ?? statusesByWord.get(normalizeWord(cell)) ?? asWritten(cell);
}

/** The type that a cell tells in any of the languages, or the cell itself, to be refused. */
export function readType(cell: string): string {
  return typesByWord.get(cell) ?? typesByWord.get(normalizeWord(cell)) ?? asWritten(cell);
}

/** The truth that a cell tells in any of the languages, or the cell itself, to be refused. */
export function readBoolean(cell: string): boolean | string {
  const word = booleansByWord.get(cell) ?? booleansByWord.get(normalizeWord(cell));
  return word === undefined ? cell : word === 'true';
}
