import type { Catalogue } from '../../../server/messages/message.ts';
import type { Language } from '../../../server/messages/messages.ts';

type Key = {
  [Section in keyof Catalogue]: `${Section}:${keyof Catalogue[Section] & string}`;
}[keyof Catalogue];

/** The name of a concept in a language. */
type Term = {
  /** The one word. */
  readonly word: string;
  /** The beginning of its forms; absent where `word` is in all of them. */
  readonly stem?: RegExp;
  /** Other words for the concept, which no message may have. */
  readonly not?: RegExp;
};

type Concept = {
  /** Messages that name the concept: each has its word. */
  readonly named: readonly Key[];
  readonly terms: Readonly<Record<Language, Term>>;
  /** Messages in which one of the other words has another meaning. */
  readonly exceptions?: readonly Key[];
};

/** The concepts that people meet, each with one word in each language. */
export const glossary: Readonly<Record<string, Concept>> = {
  event: {
    named: ['event:number_one', 'shell:newEvent', 'eventForm:edit', 'menu:events'],
    // Matches that a federation dates are the fixtures of a club.
    exceptions: ['season:fixtures'],
    terms: {
      en: { word: 'event', not: /\b(appointments?|fixtures?)\b/i },
      de: { word: 'Termin', not: /\b(Veranstaltung|Ereignis)/ },
      fr: { word: 'événement', not: /\b(rendez-vous|manifestation)/i },
      nl: { word: 'evenement', not: /\b(activiteit|afspraak|afspraken)/i },
    },
  },
  note: {
    named: [
      'eventForm:description',
      'panel:description',
      'importColumns:description',
      'importColumns:addToNote_one',
      'spreadsheet:description',
      'field:description',
      'changeWords:newNote',
      'print:notes',
      'print:codeShortened',
    ],
    // The comments of a cell are another thing.
    exceptions: ['note:comments'],
    terms: {
      en: { word: 'note', not: /\b(description|comment|remark)s?\b/i },
      de: { word: 'Notiz', not: /\b(Bemerkung|Beschreibung|Anmerkung|Kommentar)/ },
      fr: { word: 'remarque', not: /\b(descriptif|description|commentaire)/i },
      nl: { word: 'opmerking', not: /\b(notitie|beschrijving)/i },
    },
  },
  place: {
    named: [
      'eventForm:location',
      'importColumns:location',
      'spreadsheet:location',
      'table:location',
      'event:relocated',
      'field:location',
    ],
    terms: {
      en: { word: 'place', not: /\b(location|venue)s?\b/i },
      de: { word: 'Ort', not: /\b(Spielort|Veranstaltungsort|Standort)/ },
      fr: { word: 'lieu', not: /\b(emplacement|endroit)/i },
      nl: { word: 'plaats', not: /\b(locatie|plek)/i },
    },
  },
  club: {
    named: ['manage:clubs', 'clubs:newClub'],
    terms: {
      en: { word: 'club' },
      de: { word: 'Verein', not: /(?<!„)\bClubs?\b(?! Events)/ },
      fr: { word: 'club', not: /\bassociation/i },
      nl: { word: 'club', not: /\bvereniging/i },
    },
  },
  id: {
    named: ['importColumns:id', 'panel:id', 'table:id', 'spreadsheet:id', 'sync:consent'],
    terms: {
      en: { word: 'ID' },
      de: { word: 'ID', not: /\bNummern?\b/ },
      fr: { word: 'ID' },
      nl: { word: 'ID' },
    },
  },
  added: {
    named: [
      'panel:created',
      'importColumns:createdAt',
      'spreadsheet:createdAt',
      'table:created',
      'field:createdAt',
    ],
    terms: {
      en: { word: 'added', not: /\bevents? created\b/i },
      de: { word: 'hinzugefügt', not: /\b(eingetragen am|angelegt am|Termine[^.]*angelegt)/i },
      fr: { word: 'ajouté', not: /\bévénements? créé/i },
      nl: { word: 'toegevoegd', not: /\bevenementen[^.]*aangemaakt/i },
    },
  },
  delete: {
    named: [
      'eventForm:delete',
      'selection:delete',
      'clubs:removeNow',
      'changeWords:removeSeveral_other',
      'history:removed',
      'history:removedByHand',
      'sync:remove_one',
    ],
    terms: {
      en: {
        word: 'delete',
        not: /\b(remov\w* (the )?(club|event)|events? (will be |was |were )?removed|erase)/i,
      },
      de: { word: 'löschen', stem: /lösch/i, not: /\bTermine?n? [^.;]*entfern/ },
      fr: { word: 'supprimer', stem: /supprim|en moins/i },
      nl: { word: 'verwijderen', stem: /verwijder/i },
    },
  },
  undo: {
    named: [
      'undoNotice:undo',
      'undoNotice:undone',
      'history:undo',
      'history:undoEdit',
      'history:undone',
      'history:undoDone',
      'history:undoCommon',
      'history:undoOfEdit',
      'backups:undo',
      'import:undo',
      'menu:undo',
      'keyboard:undo',
    ],
    terms: {
      en: { word: 'undo', stem: /und(o|id|one)/i, not: /\b(revert|take back|rolled back)/i },
      de: { word: 'rückgängig', not: /\bzur(ück)?(genommen|nehmen)/i },
      fr: { word: 'défaire', stem: /défai/i, not: /\bannul\w* (l’import|la modif|une import)/i },
      nl: { word: 'ongedaan', not: /\bteruggedraaid/i },
    },
  },
  redo: {
    named: [
      'undoNotice:redo',
      'history:redo',
      'history:redoEdit',
      'history:restored',
      'history:redoDone',
      'history:redoCommon',
      'history:redoOfEdit',
      'menu:redo',
      'keyboard:redo',
    ],
    terms: {
      en: { word: 'redo', stem: /redo/i },
      de: { word: 'wiederholen', stem: /wiederhol/i },
      fr: { word: 'rétablir', stem: /rétabli/i },
      nl: { word: 'opnieuw' },
    },
  },
  restore: {
    named: ['backups:choose', 'backups:confirm', 'backups:ask', 'dialogs:restoreFile'],
    terms: {
      en: { word: 'restore' },
      de: { word: 'wiederherstellen' },
      fr: { word: 'restaurer' },
      nl: { word: 'terugzetten', stem: /terug ?(?:ge|te )?zet/i },
    },
  },
  'cancel a dialog': {
    named: ['manage:cancel', 'dialogs:cancel'],
    terms: {
      en: { word: 'Cancel' },
      de: { word: 'Abbrechen' },
      fr: { word: 'Annuler' },
      nl: { word: 'Annuleren' },
    },
  },
  'cancel an event': {
    named: ['event:cancelled', 'panel:cancelEvent', 'selection:cancelTitle'],
    terms: {
      en: { word: 'cancel', not: /\b(called off|call off)\b/i },
      de: { word: 'absagen', stem: /absag|abgesagt/i, not: /\b(stornier|abgebrochene Termin)/i },
      // "Annuler" alone is the button of a dialog.
      fr: { word: 'annulé', not: /\bAnnuler (l’|les )événement/ },
      nl: { word: 'afgelasten', stem: /afgelast/i, not: /\b(Rij|rijen) .*geannuleerd/ },
    },
  },
  key: {
    named: ['keys:createKey', 'connect:key', 'sync:key', 'clubs:keys_one'],
    terms: {
      en: { word: 'key', not: /\btokens?\b/i },
      de: { word: 'Schlüssel', not: /\b(Token|API-Key)/i },
      fr: { word: 'clé', not: /\b(jeton|clef)/i },
      nl: { word: 'sleutel', not: /\btoken/i },
    },
  },
  service: {
    named: ['about:service', 'connect:title', 'welcome:service'],
    terms: {
      en: { word: 'service' },
      de: { word: 'Dienst', not: /\bService\b/ },
      fr: { word: 'service' },
      nl: { word: 'dienst', not: /\bservice\b/i },
    },
  },
  backup: {
    named: ['manage:backups', 'backups:status', 'backups:choose', 'backups:last'],
    terms: {
      en: { word: 'backup', not: /\b(snapshots?|safety copy)\b/i },
      de: { word: 'Sicherung', not: /\b(Backup|Sicherungskopie)/i },
      fr: { word: 'sauvegarde', not: /\b(backup|copie de sécurité)/i },
      nl: { word: 'back-up', not: /\b(backup|reservekopie|veiligheidskopie)/i },
    },
  },
  'test restore': {
    named: ['backups:proven_other', 'backups:notProven', 'finding:backup_proven_other'],
    terms: {
      en: { word: 'test restore', not: /\b(proven|proves?)\b/i },
      de: { word: 'Probe-Wiederherstellung', not: /\berprob/i },
      fr: { word: 'restauration d’essai' },
      nl: { word: 'proef met terugzetten', not: /\buitgeprobeerd/i },
    },
  },
  sync: {
    named: ['history:synced', 'sync:syncing', 'settings:syncMinutes'],
    // Another service keeps a folder the same on several computers.
    exceptions: ['finding:home_synchronised', 'problem:folder_synchronised'],
    terms: {
      en: { word: 'sync', not: /\bsynchroni[sz]/i },
      de: { word: 'Abgleich', not: /\bSynchronis/i },
      fr: { word: 'synchronisation', stem: /synchronis/i, not: /\bsync\b/i },
      nl: { word: 'synchronis', not: /\bsync\b/i },
    },
  },
  follow: {
    named: ['sync:stopFollowing', 'sync:stopTitle', 'problem:mirror_exists'],
    terms: {
      en: { word: 'follow', not: /\bdisconnect it/i },
      de: { word: 'folg', not: /\bTrennen Sie die Verbindung/ },
      fr: { word: 'suiv', stem: /suiv|suit/i, not: /\bDéconnectez-le/ },
      nl: { word: 'volg', not: /\bVerbreek die verbinding/ },
    },
  },
  draft: {
    named: ['event:draft'],
    terms: {
      en: { word: 'Draft' },
      de: { word: 'Entwurf' },
      fr: { word: 'Brouillon' },
      nl: { word: 'Concept' },
    },
  },
  history: {
    named: ['manage:history', 'menu:history', 'sync:fullHistory'],
    terms: {
      en: { word: 'history', not: /\bimport history\b/i },
      de: { word: 'Verlauf', not: /\b(Historie|Importverlauf)/ },
      fr: { word: 'historique', not: /\bhistorique des importations/i },
      nl: { word: 'geschiedenis', not: /\b(historie|importgeschiedenis)/i },
    },
  },
  chat: {
    named: ['panel:copiedMessage'],
    terms: {
      en: { word: 'chat', not: /\bmessengers?\b/i },
      de: { word: 'Chat', not: /\bMessenger/i },
      fr: { word: 'messagerie' },
      nl: { word: 'berichtenapp' },
    },
  },
};

/** Words that name two concepts, where no reader mistakes one for the other. */
export const homonyms: Readonly<Partial<Record<Language, readonly string[]>>> = {
  // The button of a dialog, and a match that does not take place.
  en: ['cancel'],
};
