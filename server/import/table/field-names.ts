import type { EventStatus, EventType } from '../../../db/model.ts';
import { states, teams, types } from '../../dates/vocabulary.ts';
import type { TableField } from '../source.ts';

/** Normalises a word for comparison: no case, accents, blanks, hyphens or apostrophes. */
function normalizeWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\p{M}\s_\-'’\u00ad\u200b\ufeff]+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

/** The possible content of a column. Only a `TableField` can be mapped by the user. */
export type ColumnRole =
  | TableField
  /** The name, if no column is plainly the name. */
  | 'topic'
  /** Parts of a fixture, which become its name. */
  | 'home'
  | 'guest'
  | 'opponent'
  /** The club in whose hall a match takes place; the home team only if no other column is. */
  | 'host'
  /** "H" and "A" beside an opponent. */
  | 'side'
  /** The own team, which is the first part of a match with an opponent. */
  | 'team'
  /** The number by which the file itself names an event. */
  | 'matchNumber'
  /** The new date of an event that was moved. */
  | 'movedTo'
  | 'movedTime'
  | 'movedPlace'
  /** The time zone of the times. */
  | 'zone'
  /** Parts of a location. */
  | 'venue'
  | 'meetingPoint'
  | 'street'
  | 'postcode'
  | 'town'
  /** The time to arrive or to leave home, which may be the only time of a list. */
  | 'arrival'
  /** Other facts that are not imported, such as a deadline, a score or a number. */
  | 'other';

/**
 * Column names in English, German, French and Dutch, beside the names of the fields. A word in
 * several lists has the first role that fits the cells below it.
 */
const columnNames: Readonly<Record<ColumnRole, string>> = {
  id: 'event id, Veranstaltungs-ID, Termin-ID',
  date: `Zeitraum, Datum alt, altes Datum, alter Termin, ursprüngliches Datum, ursprünglicher Termin, old date, original date, oude datum, oorspronkelijke datum, start, start date, date start, event date, when, day, on, match day, date/time, date and time, date & time, starts, starts at, start at, begins, start date/time, start datetime, date time, kick-off date,
    Datum, Beginn, Startdatum, Veranstaltungsdatum, Anfangsdatum, Spieldatum, Spieltag, Spieltermin, wann, Tag, am, Termin, Termine, Datum von, von Datum, von, ab, Beginnt am, Datum/Uhrzeit, Datum/Zeit, Datum und Uhrzeit, Datum & Uhrzeit, Datum Uhrzeit, Termin am, Start, Anfang, Datum Beginn, Beginn Datum, Beginndatum, Tag/Datum, Wochentag/Datum,
    début, date de début, quand, jour, le, date de match, date du match, date de rencontre, date de la rencontre, date/heure, date et heure, date heure, du, commence le, date début, ancienne date, date initiale,
    aanvang, begin, begindatum, wanneer, dag, op, startdatum, wedstrijddatum, speeldatum, datum/tijd, datum en tijd, datum tijd, van, datum van, aanvangsdatum`,
  time: `start time, begin time, starts at, start, starts, begins, from, kick-off, kickoff, kick off time, KO, K.O., ko time, throw-in, tip-off, face-off, event time, match time, time from, time of day, hour, push back, bully off,
    Uhrzeit, Zeit, Startzeit, Anfangszeit, Beginn, Start, Anfang, von, ab, um, Uhr, Beginn um, Beginnt um, Anstoß, Anstoßzeit, Anpfiff, Spielbeginn, Anwurf, Zeit von, Uhrzeit von, von Uhrzeit, Uhrzeit Beginn, Beginn Uhrzeit, Zeit Beginn, Zeitpunkt, Spielzeit, Termin,
    heure, heure de début, heure début, horaire, horaires, début, commence à, coup d’envoi, heure du match, heure de match, heure de la rencontre,
    play from, départ, tijd, tijdstip, begintijd, aanvangstijd, aanvang, begin, aftrap, starttijd, uur, om, van, tijd van`,
  ends: `end, end date, end time, ends, ends at, to, until, finish, finish time, date to, event end date, event end time, date end, time to, till, through,
    Ende, bis, Enddatum, Endzeit, Endet am, Endet um, Datum bis, bis Datum, Uhrzeit bis, bis Uhrzeit, Uhrzeit Ende, Ende Uhrzeit, Datum Ende, Ende Datum, Zeit bis, Schluss, Schluß,
    fin, date de fin, heure de fin, au, jusqu’au, jusqu’à, finit le, finit à, date fin, heure fin,
    eind, einde, einddatum, eindtijd, tot, t/m, datum tot, tot en met, tijd tot`,
  arrival:
    'arrival, arrival time, meet, meet time, meeting time, doors, doors open, Einlass, Treffzeit, Abfahrt, rendez-vous, RDV, verzamelen, vertrek',
  other:
    'number, no., Nr., Nummer, numéro, nummer, result, score, Ergebnis, résultat, uitslag, first name, last name',
  matchNumber: `match no, match nr, match number, match #, match ID, match code, game no, game number, game #, game ID, game code, fixture no, fixture number, fixture ID, event no, event number,
    Spielnummer, Spiel-Nr, Spielkennung, Spiel-ID, Spielcode, Begegnungsnummer, Begegnungs-Nr, Partie-Nr, Veranstaltungsnummer, Veranstaltungs-Nr, Terminnummer, Kursnummer, Kurs-Nr,
    numéro de match, n° de match, n° match, no de match, no match, code match, numéro de rencontre, n° de rencontre, n° rencontre, code rencontre,
    wedstrijdnummer, wedstrijdnr, wedstrijdcode, wedstrijd-ID, wedstrijd nr`,
  team: 'own team, our team, squad, Mannschaft, eigene Mannschaft, eigenes Team, Altersklasse, age group, équipe, notre équipe, ploeg, eigen ploeg, eigen team, elftal',
  createdAt:
    'added, added on, created, created on, created at, creation date, date created, hinzugefügt, hinzugefügt am, erstellt, erstellt am, angelegt, angelegt am, Erstellungsdatum, ajouté, ajouté le, créé, créé le, date de création, toegevoegd, toegevoegd op, aangemaakt, aangemaakt op, aanmaakdatum',
  name: `title, event, event name, event title, subject, summary, fixture, heading, headline,
    Titel, Veranstaltung, Bezeichnung, Veranstaltungsname, Veranstaltungstitel, Anlass, Betreff, Terminbezeichnung, Begegnung,
    nom, titre, intitulé, événement, nom de l’événement, libellé, manifestation, objet,
    naam, evenement, activiteit, onderwerp, titel, evenementnaam, naam activiteit, benaming`,
  topic: `meet, match, game, activity, what, programme, program, meeting, occasion, session, event/activity, item, what’s on, tournament, regatta,
    Termin, Termine, Was, Ereignis, Aktivität, Spiel, Paarung, Spielpaarung, Partie, Programm, Programmpunkt, Thema, Tour, Wanderung, Ziel, Tourziel, Wanderziel, Anlass/Ort, Fahrt, Lauf, Konzert, Auftritt, Einsatz, Dienst, Übung, Aktion, Veranstaltungen, Art der Veranstaltung, Training, Inhalt, Kurs, Turnier, Rennen, Film, Vortrag,
    quoi, activité, rencontre, affiche, animation, désignation, sortie, programme, thème, événements, tournoi, régate, cours,
    wat, wedstrijd, programma, omschrijving activiteit, thema, activiteiten, toernooi, cursus`,
  home: `${Object.values(teams.home).join(', ')}, EQA nom, club rec, home team, home club, team 1, team A, home side,
    Heimmannschaft, Heimverein, Heimteam, Heim Verein Name, Heim Verein, Mannschaft 1, Team Heim, Mannschaft A, Heimspiel,
    équipe domicile, équipe recevante, équipe à domicile, recevant, équipe 1, locaux, club recevant, équipe A, match à domicile,
    thuisteam, thuisploeg, thuisclub, thuis team, thuiswedstrijd`,
  guest: `${Object.values(teams.away).join(', ')}, EQB nom, club vis, away team, away club, visitors, visitor, visiting team, guest, guests, team 2, team B, away side,
    Gäste, Gastmannschaft, Gastverein, Gastteam, Auswärtsmannschaft, Gast Verein Name, Gast Verein, Mannschaft 2, Team Gast, Mannschaft B, Auswärts, Auswärtsspiel,
    visiteur, visiteurs, équipe visiteuse, équipe extérieur, équipe extérieure, équipe à l’extérieur, équipe 2, club visiteur, équipe B,
    uitteam, uitploeg, uitclub, bezoekers, bezoeker, gasten, uit team, uitwedstrijd`,
  host: 'hosts, host club, Gastgeber, Ausrichter, ausrichtender Verein, organisateur, club organisateur, gastheer, organisator',
  side: 'H/A, home/away, home or away, Heim/Auswärts, Heim/Gast, H/G, dom/ext, domicile/extérieur, D/E, thuis/uit, T/U',
  movedTo:
    'verlegtSpieldatum, verlegt Spieldatum, new date, moved to, rescheduled to, postponed to, rescheduled date, Neuer Termin, Nachholtermin, Nachholdatum, neues Datum, neuer Spieltermin, verlegt auf, verschoben auf, nouvelle date, reporté au, reportée au, date de report, nieuwe datum, verplaatst naar, verzet naar, inhaaldatum, Datum neu, date new, datum nieuw',
  movedTime:
    'verlegtUhrzeit, verlegt Uhrzeit, neue Uhrzeit, neue Zeit, neue Anstoßzeit, neue Anfangszeit, Uhrzeit neu, Zeit neu, new time, new start time, new kick-off, nouvelle heure, nouvel horaire, nieuwe tijd, nieuwe aanvangstijd',
  movedPlace:
    'neuer Ort, Ort neu, neuer Spielort, neue Halle, neuer Platz, neuer Veranstaltungsort, new place, new venue, new location, new hall, nouveau lieu, nouvelle salle, nouvel endroit, nieuwe plaats, nieuwe locatie, nieuwe zaal',
  zone: 'Zeitzone, time zone, timezone, TZ, start time zone, start timezone, fuseau horaire, fuseau, tijdzone',
  opponent: 'opponent, opposition, versus, vs, Gegner, gegen, adversaire, tegenstander, tegen',
  location: `emplacement, place, where, Ort, Veranstaltungsort, wo, lieu, endroit, où, plaats, locatie, waar, Austragungsort, Treffpunkt Ort, Ort/Raum, venue/location, Ort der Veranstaltung, Veranstaltungs-Ort, plek`,
  venue: `site, venue, hall, ground, pitch, court, stadium, arena, room, facility, venue name, sports hall, field, clubhouse, location name, building, course, location details, field name,
    Halle, Spielort, Anlage, Schießstand, Spielstätte, Sportstätte, Stadion, Sportplatz, Platz, Spielfeld, Sporthalle, Raum, Saal, Lokal, Lokalität, Gebäude, Spiellokal, Platzanlage, Wettkampfstätte, Ort/Halle, Hallenname, Halle Name, Name der Halle, Spielstätte Name, Bad, Stadtbad, Schwimmbad, Hallenbad, Turnierstätte,
    salle, stade, gymnase, terrain, local, nom de la salle, installation, complexe, piscine,
    accommodatie, zaal, sporthal, sportpark, veld, hal, terrein, ruimte, sportaccommodatie, accommodatienaam, gebouw, zwembad`,
  meetingPoint:
    'meeting point, meet at, meeting place, assembly point, Treffpunkt, Treffen, Sammelpunkt, point de rendez-vous, lieu de rendez-vous, rendez-vous, trefpunt, verzamelpunt, vertrekpunt, verzamelen',
  street: `address, address line 1, address line 2, street, street address, venue address, Adresse, Straße, Anschrift, Straße Nr., Straße und Hausnummer, Straße/Nr., Straße/Hausnr., Straße/Hausnummer, Straße, Hausnummer, Straße Hausnr., Hallenadresse, Halle Straße, Straße Halle, rue, adresse de la salle, adres, straat`,
  postcode:
    'postcode, post code, postal code, NPA, zip, zip code, PLZ, Postleitzahl, Halle PLZ, code postal, CP',
  town: 'city, town, city/town, town/city, venue city, Stadt, Gemeinde, Stadt/Ort, PLZ/Ort, PLZ Ort, Halle Ort, Hallenort, Ort, ville, commune, localité, stad, woonplaats, gemeente, Ortschaft, plaats, place',
  description: `notes, note, details, detail, info, information, comment, comments, remarks, remark, additional information, further information, more information, event description, agenda,
    Beschreibung, Bemerkung, Bemerkungen, Notiz, Notizen, Kommentar, Kommentare, Hinweis, Hinweise, Infos, Informationen, Anmerkung, Anmerkungen, Zusatzinfo, Zusatz, Erläuterung, Text, Sonstiges,
    descriptif, remarque, remarques, commentaire, commentaires, observations, observation, précisions, informations, détails, renseignements,
    omschrijving, beschrijving, opmerking, opmerkingen, toelichting, bijzonderheden, notitie, notities, informatie, extra informatie`,
  status: 'Durchführung, event status, match status, Spielstatus, statut, état, Zustand',
  eventType:
    'type, event type, category, level, Typ, Art, Veranstaltungsart, Veranstaltungstyp, Kategorie, Kategorien, Ebene, type d’événement, catégorie, niveau, soort, evenementtype, categorie, categorieën, niveau',
  registrationOpen:
    'registration, open for registration, Anmeldung, Anmeldung offen, Anmeldung möglich, inscription, inscription ouverte, inscriptions, inscriptions ouvertes, inschrijving, inschrijving open, inschrijvingen open, aanmelding open',
};

const statusWords: Readonly<Record<EventStatus, string>> = {
  draft: `${states.draft}|tentative|provisional|to be confirmed|tbc|provisorisch|vorläufig|unter Vorbehalt|provisoire|à confirmer|voorlopig|onder voorbehoud`,
  active: `${states.moved}|planned|normal|published|scheduled|confirmed|upcoming|aktiv|geplant|bestätigt|findet statt|angesetzt|fix|fest|actif|active|prévu|prévue|confirmé|confirmée|maintenu|maintenue|programmé|actief|gepland|bevestigd|gaat door|te spelen|nog te spelen|à jouer|noch nicht gespielt`,
  completed:
    'complete|done|finished|past|played|over|full time|FT|abgeschlossen|beendet|erledigt|gespielt|durchgeführt|vorbei|terminé|terminée|achevé|joué|passé|afgerond|afgelopen|gespeeld|voltooid',
  cancelled: `${states.cancelled}|${states.postponed}|abandoned|off|storniert|gestrichen|absage|abgebrochen|nicht angetreten|findet nicht statt|has been cancelled|na pas lieu|annullato|annullata|gestaakt|void`,
};

const typeWords: Readonly<Record<EventType, string>> = {
  ...types,
  club: `${types.club}|association`,
};

const booleanWords = {
  true: 'yes, y, 1, x, ja, j, wahr, oui, o, vrai, waar, offen, open',
  false: 'no, n, 0, nein, falsch, non, faux, nee, onwaar, geschlossen, closed',
} as const;

/** Splits a list of words and adds its name, which is one of them. */
function wordsOf(name: string, list: string): string[] {
  return [name, ...list.split(/,\s+|\|/)].map(normalizeWord);
}

/** Maps each word to its meaning; the name of a meaning is one of its words. */
function indexWords<Meaning extends string>(
  words: Readonly<Record<Meaning, string>>,
): ReadonlyMap<string, Meaning> {
  return new Map(
    (Object.entries(words) as [Meaning, string][]).flatMap(([meaning, list]) =>
      wordsOf(meaning, list).map((word) => [word, meaning] as const),
    ),
  );
}

/** Maps each column name to its roles. */
function indexColumnNames(): ReadonlyMap<string, readonly ColumnRole[]> {
  const roles = new Map<string, ColumnRole[]>();
  for (const [role, list] of Object.entries(columnNames) as [ColumnRole, string][]) {
    for (const word of new Set(wordsOf(role, list))) {
      roles.set(word, [...(roles.get(word) ?? []), role]);
    }
  }
  return roles;
}

/**
 * Words that give an unknown heading its role; the first role that has one of its words. A word after
 * a hyphen may also end a longer one, as in "Vorstellungsbeginn".
 */
const roleWords = (
  [
    [
      'other',
      `deadline, inschrijven, inschrijving, closing, closes, close, entries, reminder, rappel, Erinnerung, herinnering, Anmeldeschluss, Meldeschluss, Nennschluss, Meldefrist, Anmeldefrist, Anmeldung, updated, modified, geändert, printed, birthday, Geburtstag, score, scores, result, results, points, goals, Tore, Satz, Sätze, Punkte, -Ergebnis, résultat, uitslag, sale, sold, Vorverkauf, Vorverkaufsstart, Vorverkaufsbeginn, -Schluss, délai, -Frist, tel, phone, Telefon, téléphone, mail, email, URL, link, website, contact, Kontakt, price, Tarif, -Preis, prix, prijs, cost, -Kosten, -Geld, -Gebühr, Beitrag, fee, referee, umpire, Schiedsrichter, arbitre, scheidsrechter, duration, -Dauer, durée, duur, Laufzeit, runtime, length, due, Eingang, -Eingangsdatum, -Rechnung, -Rechnungsdatum, invoice, billing, facture, facturation, factuur, paid, payment, birth, Geburtsdatum, naissance, geboortedatum, Anmeldedatum, Meldedatum, Bestelldatum, Buchungsdatum, Zahldatum, registration, inscription, inscriptions, inschrijving, frei, free, libre, vrij, tide, water, HW, LW, booking, book`,
    ],
    [
      'ends',
      'end, ends, ending, -Ende, bis, fin, eind, einde, eindtijd, einduur, einddatum, tot, until, finish, finishes, Rückkehr, retour, return, last, letzter, letzte, dernier, dernière, laatste',
    ],
    [
      'arrival',
      'arrival, arrive, call, muster, warm, warmup, doors, Einlass, Treff, Treffen, Treffzeit, -Treffpunkt, Abfahrt, Anreise, RDV, rendezvous, covoiturage, accueil, verzamelen, vertrek, vertrektijd, aanwezig, departure, pickup',
    ],
    ['postcode', 'PLZ, postcode, zip, Postleitzahl, NPA'],
    ['street', '-Straße, street, rue, -straat, address, Adresse, -adresse, -adres, -Anschrift'],
    ['town', 'town, city, Stadt, ville, gemeente, Gemeinde, localité, woonplaats, commune'],
    ['other', 'n, nr, no, num, number, -Nummer, numéro, nummer, id, code, ref'],
    [
      'location',
      'place, Ort, lieu, plaats, locatie, location, -locatie, where, Destination, Revier, Örtlichkeit, wo, où, waar, Veranstaltungsort, Kursort, Spielort, Startort, Austragungsort',
    ],
    [
      'venue',
      'venue, -Halle, hall, salle, gymnase, sporthal, -zaal, Platz, Sportplatz, Spielort, -Stadion, stade, ground, Kirche, church, église, kerk, Raum, accommodatie, -bad, piscine, zwembad, -Lokal, -Saal, -Bühne, auditorium, theatre, theater, room, Zimmer, Haus, terrain, veld, hal, -stätte, -anlage',
    ],
    ['home', 'home, Heim, domicile, thuis, recevant, recevante, visité, visités'],
    [
      'guest',
      'away, Gast, Gäste, extérieur, visiteur, visiteuse, visiteurs, uit, visitor, visitors, guests',
    ],
    [
      'opponent',
      'opponent, opponents, opposing, opposition, Gegner, gegnerische, gegnerisches, adversaire, adverse, tegenstander',
    ],
    ['createdAt', 'created, erstellt, angelegt, créé, aangemaakt'],
    [
      'date',
      'date, dates, -Datum, Tag, Kurstag, Probentag, Renntag, jour, dag, day, when, wann, quand, wanneer',
    ],
    [
      'time',
      'time, um, -Zeit, Uhrzeit, Uhr, -Beginn, -begin, begins, -start, starts, heure, horaire, -tijd, uur, kickoff, Anstoß, Anpfiff, Anwurf, début, départ, -aanvang, aftrap, race, curtain, séance, pitch',
    ],
    [
      'description',
      'notes, remarks, comments, Bemerkung, Bemerkungen, Hinweis, Hinweise, remarque, remarques, observations, opmerking, opmerkingen',
    ],
    ['team', 'team, Mannschaft, équipe, ploeg, elftal, squad'],
    // A person or a group is never the name of an event.
    [
      'other',
      `trainer, -trainer, Trainerin, coach, instructor, teacher, tutor, speaker, leader, captain, organiser, organisers, organizer, organizers, member, members, person, group, groups, surname,
      Vorname, Nachname, Familienname, Leitung, -leitung, Leiter, -leiter, -leiterin, Gruppe, -gruppe, Gruppen, Gruppenname, Verein, Vereins, -verein, Vereinsname, Ansprechpartner, Ansprechpartnerin, Verantwortlich, Verantwortliche, Verantwortlicher, Betreuer, Betreuung, Referent, Referentin, Dozent, Dozentin, Helfer, Fahrer, Mitglied, Mitglieder, Person, Personen, Veranstalter,
      prénom, responsable, animateur, animatrice, entraîneur, intervenant, intervenante, organisateur, organisatrice, groupe, association, personne,
      voornaam, achternaam, leider, leiding, begeleider, begeleiding, verantwoordelijke, docent, spreker, organisator, groep, vereniging, persoon`,
    ],
    [
      'topic',
      'title, -Titel, titre, event, Veranstaltung, événement, evenement, -Thema, topic, subject, -Stück, Film, -Kurs, course, class, workshop, Bewerb, -Wettbewerb, -Rennen, épreuve, Konzert, concert, Vortrag, Programm, programme, production, show, performance, Vorstellung, spectacle, voorstelling, cursus, happening, draw',
    ],
  ] satisfies readonly (readonly [ColumnRole, string])[]
).map(([role, list]) => ({
  role: role as ColumnRole,
  words: new Set(list.split(/,\s+/).map(normalizeWord)),
  ends: list.split(/,\s+/).flatMap((word) => (word.startsWith('-') ? normalizeWord(word) : [])),
}));

/** Returns the roles of a heading by its words, such as "Datum/Zeit" or "HeimMannschaftName". */
function rolesByWords(name: string): readonly ColumnRole[] {
  // "Halle 7" is a hall rather than a column of halls.
  if (/\d/.test(name)) return [];
  const spaced = name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const words = spaced.split(/[^\p{L}]+/u).map(normalizeWord);
  const roles = roleWords.flatMap(({ role, words: own, ends }) =>
    words.some((word) => own.has(word) || ends.some((end) => word.endsWith(end))) ? [role] : [],
  );
  const [first] = roles;
  const isPlace = roles.includes('location') || roles.includes('venue');
  if (first === 'arrival') return isPlace ? ['meetingPoint'] : ['arrival', 'meetingPoint'];
  if (first === 'date' && roles.includes('time')) return ['date', 'time'];
  if (first !== undefined) return [first];
  const known = words.flatMap((word) => rolesByName.get(word) ?? []);
  return known.some((role) => role === 'name' || role === 'topic') ? ['topic'] : [];
}

const rolesByName = indexColumnNames();
const statusesByWord = indexWords(statusWords);
const typesByWord = indexWords(typeWords);
const booleansByWord = indexWords(booleanWords);

/** Words that name the event rather than a field, as in "Match date" or "Ort der Veranstaltung". */
const fillers = new Set(
  `event, match, game, fixture, meeting, activity, the, of, der, die, das, des, de, du, d, la, le, les, l, van, het, vom, zum, spiel, spiels, veranstaltung, termin, wettkampf, événement, rencontre, wedstrijd, activiteit, evenement`
    .split(', ')
    .map(normalizeWord),
);

/** Joins the parts of a word that is hyphenated at the end of a line. */
function joinLines(name: string): string {
  return name.replace(/-\s*\n\s*/g, '');
}

/** Returns the possible contents of a column with this name, the most likely first. */
export function rolesOf(name: string): readonly ColumnRole[] {
  const known = rolesOfKnown(name);
  if (known !== undefined) return known;
  const whole = joinLines(name);
  const [firstLine = '', second] = whole.trim().split('\n');
  const roles = rolesByWords(whole);
  // Of a heading with a line for each part, the first one says most.
  return roles.length > 0 || second === undefined ? roles : (rolesOfKnown(firstLine) ?? []);
}

/** Returns the possible contents of a column with a name in the lists; undefined for another one. */
export function rolesOfKnown(name: string): readonly ColumnRole[] | undefined {
  const whole = joinLines(name);
  // French "until" beside a start, and "at" without one; without its accent, it would be any letter.
  if (whole.trim().normalize().toLowerCase() === 'à') return ['ends', 'arrival'];
  // Without a format such as "(TT.MM.JJJJ)", and without the mark of a required field.
  const plain = whole.replace(/[([][^)\]]*[)\]]/g, ' ').replace(/[:*.?!#"]/g, ' ');
  for (const text of [whole, plain]) {
    const roles = rolesByName.get(normalizeWord(text));
    if (roles !== undefined) return roles;
  }
  const words = plain.split(/[\s_\-'’]+/).filter((word) => !fillers.has(normalizeWord(word)));
  const roles = rolesByName.get(normalizeWord(words.join('')));
  // The number of a match in another program is not an id of this one.
  return roles?.filter((role) => role !== 'id');
}

const [home, away, otherSides] = [
  `h|heimspiel|dom|${Object.values(teams.home).join('|')}`,
  `a|ausw(?:ä|ae)rts(?:spiel)?|ext(?:erieur)?|${Object.values(teams.away).join('|')}`,
  '[gdetun]|neutral',
].map((words) => new RegExp(`^(?:${words})\\.?$`, 'i'));

/** Returns true for a word that says where a match takes place, such as "H" or "Auswärts". */
export function isSide(cell: string): boolean {
  return [home, away, otherSides].some((side) => side?.test(cell.trim()));
}

/** Returns "H" or "A" for a word such as "Home" or "Auswärts"; any other text stays as it is. */
export function markOfSide(cell: string): string {
  if (home?.test(cell)) return 'H';
  return away?.test(cell) ? 'A' : cell;
}

/**
 * Returns true for the opponent of a team that has no match, for a day without an event, and for a
 * line that names the team, such as "spielfrei: TV A".
 */
export function isBye(cell: string): boolean {
  return /^(?:bye(?: week)?|no (?:fixture|game|match)|free week|spielfrei|spielpause|exempte?|rel[âa]che|vrij)(?:\s*:.*)?$/i.test(
    cell.trim(),
  );
}

/** Formats an unknown word for the message that refuses it. */
function asWritten(cell: string): string {
  return cell.trim().toLowerCase();
}

/** Returns true if the cell is a status in any of the languages. */
export function isStatus(cell: string): boolean {
  return statusesByWord.has(normalizeWord(cell));
}

/** Returns true if the cell is an event type in any of the languages. */
export function isType(cell: string): boolean {
  return typesByWord.has(normalizeWord(cell));
}

/** Returns true if the cell is a boolean in any of the languages. */
export function isBoolean(cell: string): boolean {
  return booleansByWord.has(normalizeWord(cell));
}

/** Returns true for a cross, a tick or a yes, false for a no; undefined for any other text. */
export function readMark(cell: string): boolean | undefined {
  if (/^[✓✔☑●•+]$/u.test(cell.trim())) return true;
  const value = readBoolean(cell.trim());
  return typeof value === 'boolean' ? value : undefined;
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
