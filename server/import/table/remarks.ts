import { parseDate } from '../../dates/dates.ts';
import { oneOf, weekNumberWords } from '../../dates/vocabulary.ts';
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

const maxTexts = 3;
/** Number of cells that a message names. */
const maxCells = 5;

/** Collects rows that are left out, for one message. */
export function createRowNotes() {
  const rows: number[] = [];
  const texts: string[] = [];
  return {
    add(row: Row, text = distinctCells(row)[0]): void {
      rows.push(row.row);
      if (texts.length < maxTexts && text !== undefined) texts.push(displayText(text));
    },
    messages(key: 'note:rows_above' | 'note:rows_left_out' | 'note:dates_repeated'): Message[] {
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

/** Returns the first of some texts for a message. */
export function displayTexts(texts: readonly string[]): readonly MessageValue[] {
  const shown = texts.slice(0, maxTexts).map((text) => displayText(text));
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
    add(key: MessageKey, row: number, text: string, date = ''): void {
      const cell = displayText(text.trim());
      const values = { row, cell, date: date.replace('T', ' ') };
      const own: Found = found.get(key) ?? { cells: [], count: 0, values };
      own.count += 1;
      if (own.cells.length < maxCells) own.cells.push(message('value:cell', { row, text: cell }));
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
