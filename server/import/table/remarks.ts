import { looksLikeDate, parseDate } from '../../dates/dates.ts';
import { noonOf } from '../../dates/days.ts';
import { articles, oneOf, states, weekNumberWords } from '../../dates/vocabulary.ts';
import { createLocalDates, zoneNamed } from '../../dates/zone.ts';
import {
  displayText,
  displayValue,
  type Message,
  type MessageKey,
  type MessageValue,
  type MessageValues,
  message,
} from '../../messages/message.ts';
import { distinctCells } from './header.ts';
import type { Row } from './table.ts';

/** Beginnings of totals and remarks in English, German, French and Dutch, in lower case. */
const remarkWords =
  `total, totals, sum, subtotal, count, number of, as of, status as of, last updated, updated, last update, created, generated, printed, exported, source, legend, key:, note:, notes:, page, subject to change, changes reserved, all dates, all times, all details, tba =, no guarantee, e&oe, *, (, ©,
summe, gesamt, insgesamt, zwischensumme, anzahl, stand, stand:, änderung, änderungen, aktualisiert, letzte änderung, erstellt, gedruckt, quelle, legende, hinweis, hinweise, seite, alle angaben, ohne gewähr, termine unter vorbehalt, kurzfristige änderungen, weitere infos, weitere informationen, bitte, fett, kursiv, abkürzungen, ansprechpartner,
nombre, mise à jour, mis à jour, dernière mise à jour, sous réserve, toutes les, source, légende, remarque, édité, imprimé, page, état au, renseignements, contact,
totaal, som, subtotaal, aantal, stand per, bijgewerkt, laatste wijziging, laatst bijgewerkt, wijzigingen, onder voorbehoud, bron, legenda, opmerking, pagina, gegenereerd, afgedrukt, alle tijden, alle data`
    .split(/,\s+/)
    .map((word) => word.trim());

/** A year, a season or a week between groups of events. */
const sectionForm = new RegExp(
  `^(?:\\p{L}+ )?20\\d\\d(?: ?[/–-] ?\\d{2,4})?$|^(?:${oneOf(weekNumberWords)}|woche) ?\\d{1,2}$`,
  'iu',
);

/** A count such as "9 Termine". */
const countForm = /^\d+ \p{L}+$/u;

/** Beginnings of a row of totals, which no date has. */
const totalForm =
  /^(?:sum(?:me)?|gesamt(?:summe|ergebnis|zahl)?|insgesamt|zwischensumme|ergebnis|anzahl|(?:grand |sub)?totals?|count|nombre|total général|sous-total|(?:eind|sub)?totaal|som|aantal|stand)(?!\p{L})/iu;

/** A line of a legend, such as "= cancelled" or "rot = fällt aus". */
export const legendForm = /^[^=]{0,40}= ?\p{L}/u;

/** Returns true for the text at the beginning of a row of totals. */
export function isTotal(text: string): boolean {
  return totalForm.test(text.trim());
}

/** Returns true for a count with its noun, such as "9 Termine" or "Termine: 2". */
export function isCount(text: string): boolean {
  return countForm.test(text) || /^[\p{L} ]+: ?\d+$/u.test(text);
}

/** Returns true for a text such as "Mai" or "May 2026". */
export function isMonth(text: string): boolean {
  return parseDate(`1 ${text}`, 'dmy') !== undefined && parseDate(text, 'dmy') === undefined;
}

/** Returns true for the text of a total, a remark or a section rather than of an event. */
export function isRemark(text: string): boolean {
  const lower = text.trim().toLowerCase();
  if (lower.length <= 40 && (sectionForm.test(lower) || countForm.test(lower) || isMonth(lower)))
    return true;
  if (lower.length <= 40 && /(?:gesamt|total|totaal|summe):?$/.test(lower)) return true;
  if (/[.!]$/.test(lower) && lower.includes(' ')) return true;
  return remarkWords.some(
    (word) => lower.startsWith(word) && !/^\p{L}/u.test(lower.slice(word.length)),
  );
}

/** Words between the parts of a verb, which say nothing else: "fällt leider aus". */
const gap = '((?:\\p{L}+ ){0,4}?)';

/** Words that cancel an event, without accents and apostrophes. */
const cancelWords = `${states.cancelled}|storniert|gestrichen|annullat[oa]|gestaakt|nicht angetreten|fall(?:t|en) ${gap}aus|find(?:et|en) ${gap}nicht statt|(?:(?:does|do|did|will) not|doesnt|wont) take place|not taking place|n(?:a|aura|ont) pas lieu|ga(?:at|an) ${gap}niet door`;

/** Words that cancel an event only where they stand alone. */
const weakWords = [
  'absage|rejected|declined|abgelehnt|refusee?|afgewezen',
  'no (?:meeting|training|practice|rehearsal|session|class)|kein(?:e)? (?:training|probe|uebung|ubung|treffen|sitzung)|pas de (?:repetition|cours|entrainement|reunion)|geen (?:repetitie|training|les|vergadering)',
  // The new date, if the text has one, is in the message about the row.
  `(?:${states.postponed})(?! (?:${oneOf(articles.range)}|vom))`,
].join('|');

const wholeWords = (list: string) => new RegExp(`(?<!\\p{L})(?:${list})(?!\\p{L})`, 'gu');
const cancelForm = wholeWords(`${cancelWords}|${weakWords}`);
const strongForm = new RegExp(`^(?:${cancelWords})$`, 'u');

const reasonWords =
  'wegen|aufgrund|auf grund|mangels|due to|because of|owing to|pour cause d[eu]|en raison d[eu]|a cause d[eu]|faute de|pour|wegens|vanwege|door';
/** Words around one that cancels: auxiliaries, adverbs, reasons, and that the new date is open. */
const fillers = wholeWords(
  `(?:${reasonWords})(?: [\\p{L}-]+){1,4}|\\p{L}+bedingt|auf unbestimmte zeit|bis auf weiteres|neuer termin folgt|wurden?|wird|werden|worden|ist|sind|muss|musste|has|have|had|been|be|is|was|are|were|to|est|sont|a|ete|ont|werd|wordt|zijn|leider|heute|kurzfristig|ersatzlos|komplett|vorerst|am|unfortunately|sadly|today|malheureusement|helaas|das|die|der|the|this|le|la|l|het|de|termin|veranstaltung|training|probe|spiel|event|match|meeting|seance|repetition|wedstrijd|activiteit`,
);
const isFiller = (text: string) => !/\p{L}/u.test(text.replace(fillers, ' '));

/** Text after a word that cancels: nothing, another clause, a reason, or the new date. */
const afterForm = new RegExp(
  `^(?:$|\\s*[!.,:;()\\]–-]|\\s+(?:${reasonWords}|i\\.|until|to|auf|bis|au|tot|naar)(?!\\p{L}))`,
  'u',
);
/** Conditions, before the word or after it, and a denial. */
const conditionForm = wholeWords(
  'bei|falls|wenn|sofern|sollte|if|in case|en cas|si|bij|indien|als',
);
const conditionAfter =
  /^,? (?:falls|wenn|sofern|if|in case|en cas|si|indien|als|unless|mits)(?!\p{L})|^ bei |^ bij /u;
const denial = /(?<!\p{L})(?:nicht|not|isnt|wasnt|pas|niet|nie|never) (?:\p{L}+ )?$/u;
/** Words for an event that replaces one that was cancelled. */
const replacement =
  /ersatz|nachhol|replace|instead|rempla|vervang|inhaal|(?:an)?statt (?:de|\d|am|vom)/;
/** A day before the words, which may be another one than that of the event. */
const otherDay = /\d{1,2}[./-]\d{1,2}/;
/** Words for what takes place instead, or for those whom an apology goes to. */
const insteadAfter =
  /^,? (?:dafur|stattdessen|sondern|but|instead|mais|maar|dus)(?!\p{L})|^ bis .* an /u;

/** Words before the new date of an event, whose own date is the old one. */
const movedStart = new RegExp(`^(?:${states.moved}) (?:auf|to|au|naar) (?:(?:den|the) )?(?=.*\\d)`);
const movedEnd = new RegExp(
  `^(?:(?:wird|wurde|ist|werd|wordt) )?(?:auf|naar|op) (?:den )?(.*\\d.*) (?:${states.moved}|${states.postponed})$`,
);

/** Returns true for "verlegt auf 9.5." or "auf den 9.5. verlegt". */
function saysMoved(part: string): boolean {
  const [start] = movedStart.exec(part) ?? [];
  const date = start === undefined ? movedEnd.exec(part)?.[1] : part.slice(start.length);
  return date !== undefined && looksLikeDate(date);
}

/** Words of a change without a sign that its row has it already, such as the day before it. */
const changeForm = new RegExp(
  `(?<!\\p{L})(?:${states.moved}|neue[rs]? (?:termin|datum|uhrzeit|zeit|anfangszeit|beginn)|verlegung|(?:ausweich|nachhol|ersatz)termin|new (?:date|time)|nouvelle (?:date|heure)|nouvel horaire|nieuwe (?:datum|tijd))(?!\\p{L})(?! (?:${oneOf(articles.range)}|vom|fur|for|pour|voor)(?!\\p{L}))|(?<!\\p{L})find(?:et|en) (?:\\p{L}+ )*am .*\\d.* statt`,
  'u',
);

/** Returns true for a text which says that an event has another day or time than before. */
export function saysChanged(text: string): boolean {
  return text.length >= 5 && text.length <= 200 && changeForm.test(plainOf(text));
}

const plainOf = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .trim()
    .toLowerCase();

/** Begins the part of a text that stands for itself, as in "Fest – abgesagt" or "Fest (abgesagt)". */
const partStart = /(?:^|\s)[–-]\s+|[–([]\s*/g;

/**
 * Returns true for a text which says that its event does not take place, such as "ENTFÄLLT wegen
 * Sturm" or "Canceled: Match", and `doubtful` for one that may say so.
 */
export function saysCancelled(text: string): boolean | 'doubtful' {
  if (/^p ?[-–] ?p(?:$|\s*[(,:])/i.test(text)) return true;
  // No other word is shorter, and a longer text is a description.
  if (text.length < 6 || text.length > 200) return false;
  const plain = plainOf(text);
  const starts = [
    0,
    ...[...plain.matchAll(partStart)].map(({ 0: { length }, index }) => index + length),
  ];
  if (starts.some((start) => saysMoved(plain.slice(start)))) return true;
  let isDoubtful = false;
  for (const match of plain.matchAll(cancelForm)) {
    const { 0: words, index } = match;
    const start = starts.findLast((one) => one <= index) ?? 0;
    const before = plain.slice(start, index);
    const after = plain.slice(index + words.length);
    const isCondition = before.match(conditionForm) !== null || conditionAfter.test(after);
    if (isCondition || denial.test(before)) continue;
    const between = match.slice(1).join(' ');
    const isClear = isFiller(`${before} ${between}`) && (afterForm.test(after) || isFiller(after));
    const isOther =
      replacement.test(plain.slice(0, index)) ||
      otherDay.test(before) ||
      insteadAfter.test(after) ||
      /^\W*\?/.test(after);
    if (isClear && !isOther) return true;
    isDoubtful ||= isClear || strongForm.test(words);
  }
  return isDoubtful && 'doubtful';
}

/** Returns a name without the word before it that calendars mark a cancelled event with. */
export function withoutMark(name: string): string {
  const [, mark = '', rest = ''] = /^\s*([^:]{1,30}?)\s*:\s*(.*\p{L}.*)$/su.exec(name) ?? [];
  return strongForm.test(plainOf(mark)) ? withoutMark(rest) : name;
}

/** Words before one that cancels, which belong to its clause: "Lauf wurde leider abgesagt". */
const clauseEnd =
  /(?:[\s–:,;(![\]-]+|(?<!\p{L})(?:wurden?|wird|werden|ist|sind|muss|musste|has|have|had|been|is|was|are|were|est|sont|a|ete|ont|werd|wordt|zijn|leider|heute|kurzfristig|unfortunately|malheureusement|helaas))$/u;

const newDate = `${states.moved}|${states.postponed}|neuer termin|new date|nouvelle date|nieuwe datum`;
/** A remark on the date of an event behind its name or before it: "Ball (verlegt vom 23.01.)". */
const dateRemark = new RegExp(
  `\\s*(?:[([]|\\s[–-]\\s)\\s*(?:${newDate})(?!\\p{L})[^()[\\]]*[)\\]]?\\s*$|^(?:${newDate})\\s*[:!–-]\\s*`,
  'u',
);

/** Returns the place of a remark in a plain name: that it is cancelled, or what its date was. */
function findRemarkIn(plain: string, says: boolean): readonly [number, number] | undefined {
  const date = dateRemark.exec(plain);
  const found = date ?? (says ? [...plain.matchAll(cancelForm)].at(0) : undefined);
  if (found == null) return undefined;
  let start = found.index;
  for (let end = clauseEnd.exec(plain.slice(0, start)); end?.[0]; ) {
    start = end.index;
    end = clauseEnd.exec(plain.slice(0, start));
  }
  const isReason = new RegExp(`^(?:${reasonWords})(?!\\p{L})`, 'u').test(plain);
  // Before the name, the remark ends with its word; behind it, all is the remark.
  const length =
    found[0].length +
    (/^[\s–:,;)!\]-]*/.exec(plain.slice(found.index + found[0].length))?.[0].length ?? 0);
  return start === 0 || isReason ? [0, found.index + length] : [start, plain.length];
}

/** Returns a name without a remark that the event is cancelled or on another date. */
export function withoutRemark(name: string): string {
  const plain: string[] = [];
  const positions: number[] = [];
  let position = 0;
  for (const letter of name.normalize('NFC')) {
    for (const one of letter
      .normalize('NFD')
      .replace(/[\p{M}'’]/gu, '')
      .toLowerCase()) {
      plain.push(one);
      positions.push(...Array.from(one, () => position));
    }
    position += letter.length;
  }
  const text = plain.join('');
  const [from, to] = findRemarkIn(text, saysCancelled(name) !== false) ?? [0, 0];
  if (to === 0) return name;
  const composed = name.normalize('NFC');
  const at = (index: number) => (index >= text.length ? composed.length : (positions[index] ?? 0));
  const bare = (composed.slice(0, at(from)) + composed.slice(at(to))).trim();
  return /\p{L}/u.test(bare) ? bare : name;
}

/** Returns the mark that cancels the event of a row, in a column with this heading, if any does. */
export function markThatCancels(heading: string): boolean | undefined {
  const plain = heading.replace(/\?$/, '').trim().toLowerCase();
  if (/^(?:findet statt|tak(?:es|ing) place|a lieu|gaat door|vindt plaats)$/.test(plain))
    return false;
  return saysCancelled(plain) === true ? true : undefined;
}

const maxTexts = 3;
/** Number of cells that a message names. */
const maxCells = 5;
/** Number of cells or events in a message about what may not take place: each must be looked at. */
export const maxCancelled = 50;
const namedInFull: readonly MessageKey[] = [
  'note:cancelled_by_line',
  'note:cancelled_by_text',
  'note:may_be_cancelled',
  'note:may_be_moved',
];

/** A row that is left out: the text that names it, and what it lacks. */
export type LeftOut = {
  readonly text: string | undefined;
  readonly lacks: 'event' | 'date' | 'name';
};

/** Collects the rows that are left out, for a message on all that lack the same. */
export function createLeftOutNotes() {
  const notes = { event: createRowNotes(), date: createRowNotes(), name: createRowNotes() };
  return {
    add: (row: Row, { text, lacks }: LeftOut) => notes[lacks].add(row, text),
    messages: () => [
      ...notes.event.messages('note:rows_left_out'),
      ...notes.date.messages('note:rows_without_date'),
      ...notes.name.messages('note:rows_without_name'),
    ],
  };
}

/** Collects rows for one message. */
export function createRowNotes() {
  const rows: number[] = [];
  const texts: string[] = [];
  return {
    add(row: Row, text = distinctCells(row)[0]): void {
      rows.push(row.row);
      if (texts.length < maxTexts && text !== undefined) texts.push(displayText(text));
    },
    messages(key: MessageKey): Message[] {
      if (rows.length === 0) return [];
      const text = texts.map((one) => message('value:text', { text: one }));
      const values = { count: rows.length, rows: rangesOf(rows) };
      return [message(key, { ...values, texts: firstOf(text, rows.length) })];
    },
  };
}

/** Returns the first values of a message, and an ellipsis if there are more. */
function firstOf(values: readonly MessageValue[], count: number): readonly MessageValue[] {
  return count > values.length ? [...values, '…'] : values;
}

/** Returns the first events of a message, with their days in words. */
export function displayEvents(
  events: readonly { readonly name: string; readonly date: string }[],
  timeZone: string,
): readonly MessageValue[] {
  const clock = zoneNamed(timeZone);
  const localDate = createLocalDates(timeZone);
  const shown = events.slice(0, maxTexts).map(({ name, date }) => {
    const at = noonOf(clock.dayOf(date)).getTime();
    return message('value:event_on', { name: displayText(name), at, date: localDate(date) });
  });
  return firstOf(shown, events.length);
}

/** Returns the first of some texts for a message. */
export function displayTexts(texts: readonly string[], limit = maxTexts): readonly MessageValue[] {
  const shown = texts.slice(0, limit).map((text) => displayText(text));
  return firstOf(
    shown.map((text) => message('value:text', { text })),
    texts.length,
  );
}

/** Collects the first of several similar cells, and their number. */
export function createCellNotes() {
  type Found = { readonly cells: Message[]; readonly values: MessageValues; count: number };
  const found = new Map<MessageKey, Found>();
  return {
    /** `date` is the ISO date that the cell was read as, if it is one. */
    add(key: MessageKey, row: number, text: string, date = '', more: MessageValues = {}): void {
      const cell = displayText(text.trim());
      const values = { row, cell, date: date.replace('T', ' '), ...more };
      const own: Found = found.get(key) ?? { cells: [], count: 0, values };
      own.count += 1;
      // A day that is worded as people write it, or the cell as it stands.
      const shown = 'at' in more ? 'value:day_in_row' : 'value:cell';
      const limit = namedInFull.includes(key) ? maxCancelled : maxCells;
      if (own.cells.length < limit) own.cells.push(message(shown, { row, text: cell, ...more }));
      found.set(key, own);
    },
    messages: () =>
      [...found].map(([key, { cells, count, values }]) =>
        message(key, { ...values, count, cells: firstOf(cells, count) }),
      ),
  };
}

/** Collects cells that do not fit their columns, for one message each column. */
export function createUnfitNotes() {
  const columns = new Map<Message, { row: number; cells: Set<string>; count: number }>();
  return {
    add(column: Message, row: number, cell: string): void {
      const found = columns.get(column) ?? { row, cells: new Set(), count: 0 };
      found.count += 1;
      if (found.cells.size <= maxCells) found.cells.add(cell.trim());
      columns.set(column, found);
    },
    messages: () =>
      [...columns].map(([column, { row, cells, count }]) => {
        const value = firstOf([...cells].slice(0, maxCells).map(displayValue), cells.size);
        return message('note:values_left_out', { column, row, value, count });
      }),
  };
}

const maxRanges = 10;

/** Writes ascending numbers as ranges, such as `1–3, 7`. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && number === range.last + 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  const shown = ranges.slice(0, maxRanges).map(({ first, last }) => {
    if (first === last) return String(first);
    return `${first}–${last}`;
  });
  return shown.join(', ') + (ranges.length > maxRanges ? ', …' : '');
}
