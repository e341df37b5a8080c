import { namesTeam } from '../../event/views.ts';

/** Names of sheets that say nothing about a team. */
const plainForm =
  /^(?:sheet|tabelle|tab|blatt|feuille|feuil|blad|table|plan|spielplan|termine|fixtures|schedule|programm?e?|calendrier|kalender|calendar|hinrunde|rückrunde|vorrunde|aller|retour|heen|terug|season|saison|seizoen|alle|all|gesamt|tous|toutes|total|events|home|away|heim|auswärts)?[\s\d/.–-]*$/iu;

/** Words for an older or a second version of a sheet. */
const copyForm =
  /(?<!\p{L})(?:alt|old|ancien|ancienne|oud|oude|kopie|copy|copie|backup|sicherung|archiv|archive|archief|entwurf|draft|brouillon|concept|vorjahr|previous|précédent|vorig)(?!\p{L})/iu;

/** Returns the sheets that may be older versions or copies of others, such as "alt" and "Plan (2)". */
export function findCopies(sheets: readonly string[]): readonly string[] {
  return sheets.filter((sheet) => {
    const [, original] = /^(.+?) ?\(\d+\)$/.exec(sheet.trim()) ?? [];
    return copyForm.test(sheet) || sheets.some((other) => other.trim() === original);
  });
}

/** Returns the names of the sheets if all are teams; `areOpponents` if their events name only those. */
export function findTeams(sheets: readonly string[], areOpponents: boolean): readonly string[] {
  const isOther = (sheet: string) =>
    areOpponents && sheets.length > 1 && !plainForm.test(sheet.trim());
  return sheets.every((sheet) => namesTeam(sheet) || isOther(sheet)) ? sheets : [];
}
