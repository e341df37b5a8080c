import type { EventStatus, EventType } from '../../../../db/model.ts';
import type { EventField } from '../source.ts';

/** Normalises a word for comparison: no case, accents, blanks, hyphens or apostrophes. */
function normalizeWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\p{M}\s_\-'’\u200b\ufeff]+/gu, '')
    .toLowerCase();
}

/** The content of a column: a field, or the time of day for the date in another column. */
export type ColumnKind = EventField | 'time';

/** Column names in English, German, French and Dutch, beside the names of the fields. */
const columnNames: Readonly<Record<ColumnKind, string>> = {
  id: 'event id, Veranstaltungs-ID, Termin-ID',
  name: 'title, event, event name, event title, Titel, Veranstaltung, Bezeichnung, nom, titre, intitulé, événement, nom de l’événement, naam, evenement, activiteit',
  date: 'start, start date, date start, event date, when, Datum, Beginn, Startdatum, Veranstaltungsdatum, wann, début, date de début, quand, aanvang, begin, begindatum, wanneer',
  location:
    'place, venue, where, Ort, Veranstaltungsort, wo, lieu, endroit, où, plaats, locatie, waar',
  description:
    'note, Beschreibung, Notiz, descriptif, remarque, omschrijving, beschrijving, opmerking',
  status: 'event status, statut',
  eventType:
    'type, event type, Typ, Art, Veranstaltungsart, Veranstaltungstyp, type d’événement, soort, evenementtype',
  registrationOpen:
    'registration, open for registration, Anmeldung, Anmeldung offen, Anmeldung möglich, inscription, inscription ouverte, inscriptions ouvertes, inschrijving, inschrijving open, inschrijvingen open, aanmelding open',
  createdAt:
    'created, created on, creation date, date created, erstellt, erstellt am, angelegt am, Erstellungsdatum, créé, créé le, date de création, aangemaakt, aangemaakt op, aanmaakdatum',
  time: 'start time, Uhrzeit, Zeit, Startzeit, Anfangszeit, heure, heure de début, horaire, tijd, tijdstip, begintijd, aanvangstijd',
};

const statusWords: Readonly<Record<EventStatus, string>> = {
  draft: 'Entwurf, brouillon, concept',
  active: 'planned, aktiv, geplant, actif, active, prévu, actief, gepland',
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

/** Maps each word to its meaning; the name of a meaning is one of its words. */
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

export function kindOfColumn(name: string): ColumnKind | undefined {
  return columnsByName.get(normalizeWord(name));
}

/** Formats an unknown word for the message that refuses it. */
function asWritten(cell: string): string {
  return cell.trim().toLowerCase();
}

/** Translates a status from any of the languages; the schema refuses an unknown word. */
export function readStatus(cell: string): string {
  return statusesByWord.get(cell) ?? statusesByWord.get(normalizeWord(cell)) ?? asWritten(cell);
}

/** Translates an event type from any of the languages; the schema refuses an unknown word. */
export function readType(cell: string): string {
  return typesByWord.get(cell) ?? typesByWord.get(normalizeWord(cell)) ?? asWritten(cell);
}

/** Translates a boolean from any of the languages; the schema refuses an unknown word. */
export function readBoolean(cell: string): boolean | string {
  const word = booleansByWord.get(cell) ?? booleansByWord.get(normalizeWord(cell));
  return word === undefined ? cell : word === 'true';
}
