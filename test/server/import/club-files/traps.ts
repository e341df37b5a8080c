import type { ClubFile } from './club-file.ts';

/** Files in which a hasty reader takes a wrong name, day, end or status without a word. */
export const traps: readonly ClubFile[] = [
  {
    id: 'name-is-the-helper',
    text: `
      Datum;Uhrzeit;Veranstaltung;Ort;Name
      06.03.2027;14:00;Frühlingsbasar;Turnhalle;Rita Klein
      20.03.2027;10:30;Waldlauf;Forsthaus;Otto Groß`,
    events: `
      2027-03-06 14:00 | Frühlingsbasar | Turnhalle
      2027-03-20 10:30 | Waldlauf | Forsthaus`,
  },
  {
    id: 'nom-prenom-activite',
    text: `
      Nom;Prénom;Date;Activité;Lieu
      Roux;Paul;13/03/2027;Atelier poterie;Maison des jeunes
      Blanc;Zoé;20/03/2027;Sortie raquettes;Les Rousses`,
    events: `
      2027-03-13 | Atelier poterie | Maison des jeunes
      2027-03-20 | Sortie raquettes | Les Rousses`,
  },
  {
    id: 'name-trainer-first',
    text: `
      Name Trainer;Datum;Zeit;Thema
      Ines Kraft;12.01.2027;18:00;Grundschläge
      Bodo Ring;19.01.2027;18:00;Doppeltaktik`,
    events: `
      2027-01-12 18:00 | Grundschläge
      2027-01-19 18:00 | Doppeltaktik`,
  },
  {
    id: 'dienst-with-name',
    text: `
      Datum;Dienst;Name;Telefon
      03.04.2027;Thekendienst;Uta Fuchs;0171 22
      10.04.2027;Platzdienst;Ali Wolf;0171 33`,
    events: `
      2027-04-03 | Thekendienst
      2027-04-10 | Platzdienst`,
  },
  {
    id: 'event-number-beside-description',
    text: `
      Event,Description,Date,Location
      1,Opening parade,05/01/2027,Main Street
      2,Fireworks,05/29/2027,River bank`,
    events: `
      2027-05-01 | Opening parade | Main Street
      2027-05-29 | Fireworks | River bank`,
  },
  {
    id: 'naam-vrijwilliger',
    text: `
      Datum;Tijd;Naam;Activiteit;Locatie
      06-03-2027;13:30;Joke Smit;Kaartmiddag;Buurthuis
      13-03-2027;20:00;Wim Bos;Bingo;Kantine`,
    events: `
      2027-03-06 13:30 | Kaartmiddag | Buurthuis
      2027-03-13 20:00 | Bingo | Kantine`,
  },
  {
    id: 'anmeldedatum-first',
    text: `
      Anmeldedatum;Spieltermin;Turnier;Ort
      15.02.2027;13.03.2027;Hallenmasters;Halle Ost
      01.04.2027;08.05.2027;Rasencup;Waldplatz`,
    events: `
      2027-03-13 | Hallenmasters | Halle Ost
      2027-05-08 | Rasencup | Waldplatz`,
    told: /[Dd]ate from "Anmeldedatum"/,
  },
  {
    id: 'runden-zwei-tage',
    text: `
      1. Spieltag: 13./14.03.2027;
      SV Au;FC Berg
      TSV Cham;DJK Dorf
      2. Spieltag: 20./21.03.2027;
      FC Berg;TSV Cham
      DJK Dorf;SV Au`,
    events: `
      2027-03-13 > 2027-03-14 | SV Au – FC Berg
      2027-03-13 > 2027-03-14 | TSV Cham – DJK Dorf
      2027-03-20 > 2027-03-21 | FC Berg – TSV Cham
      2027-03-20 > 2027-03-21 | DJK Dorf – SV Au`,
    told: /several days/,
  },
  {
    id: 'journees-deux-jours',
    text: `
      Journée 1 : 6 et 7 mars 2027;
      AS Aulnoy;FC Bourg
      US Caudry;ES Denain
      Journée 2 : 13 et 14 mars 2027;
      FC Bourg;US Caudry
      ES Denain;AS Aulnoy`,
    events: `
      2027-03-06 > 2027-03-07 | AS Aulnoy – FC Bourg
      2027-03-06 > 2027-03-07 | US Caudry – ES Denain
      2027-03-13 > 2027-03-14 | FC Bourg – US Caudry
      2027-03-13 > 2027-03-14 | ES Denain – AS Aulnoy`,
    told: /several days/,
  },
  {
    id: 'runde-spielbar-bis',
    text: `
      1. Pokalrunde (spielbar bis 31.03.2027);
      SV Au;FC Berg
      2. Pokalrunde (spielbar bis 30.04.2027);
      TSV Cham;DJK Dorf`,
    events: '',
    told: /spielbar bis|31\.03\.2027/,
  },
  {
    id: 'turniertage-in-rows',
    text: `
      Zeit;Was;Ort
      05.-06.06.2027;;
      10:00;Jugendturnier;Platz 1
      19.06.2027;;
      14:00;Endspiel;Platz 2`,
    events: `
      2027-06-05 10:00 | Jugendturnier | Platz 1
      2027-06-19 14:00 | Endspiel | Platz 2`,
    told: /several days/,
  },
  {
    id: 'hidden-year-of-the-title',
    sheets: {
      Termine: `
        Terminplan 2028 | |
        Datum | Was | Wo
        2027-02-12#dd.mm. | Winterball | Krone
        2027-03-05#dd.mm. | Hauptversammlung | Vereinsheim
        2027-06-24#dd.mm. | Johannifeuer | Festwiese`,
    },
    events: `
      2028-02-12 | Winterball | Krone
      2028-03-05 | Hauptversammlung | Vereinsheim
      2028-06-24 | Johannifeuer | Festwiese`,
    told: /^(?!.*left out).*2028/,
  },
  {
    id: 'hidden-year-of-the-season',
    sheets: {
      'Saison 27-28': `
        Spielplan Saison 2027/28 | | |
        Datum | Zeit | Heim | Gast
        2027-09-11#ddd dd.mm. | 15:00#hh:mm | SV Au | FC Berg
        2027-10-09#ddd dd.mm. | 15:00#hh:mm | TSV Cham | SV Au
        2027-03-11#ddd dd.mm. | 15:00#hh:mm | SV Au | DJK Dorf`,
    },
    events: `
      2027-09-11 15:00 | SV Au – FC Berg
      2027-10-09 15:00 | TSV Cham – SV Au
      2028-03-11 15:00 | SV Au – DJK Dorf`,
    told: /^(?!.*left out).*2028/,
  },
  {
    id: 'hidden-year-with-weekday',
    sheets: {
      Plan: `
        Übungsplan 2027 | | |
        Tag | Datum | Zeit | Übung
        Sa | 2026-02-13#dd.mm. | 14:00#hh:mm | Löschangriff
        Fr | 2026-03-12#dd.mm. | 19:30#hh:mm | Erste Hilfe
        Sa | 2026-04-10#dd.mm. | 14:00#hh:mm | Technik`,
    },
    events: `
      2027-02-13 14:00 | Löschangriff
      2027-03-12 19:30 | Erste Hilfe
      2027-04-10 14:00 | Technik`,
  },
  {
    id: 'crosses-under-home-and-away',
    text: `
      Datum;Anstoß;Gegner;Heim;Auswärts
      13.03.2027;15:00;FC Berg;X;
      20.03.2027;13:30;TSV Cham;;X
      03.04.2027;15:00;DJK Dorf;X;`,
    events: `
      2027-03-13 15:00 | FC Berg (H)
      2027-03-20 13:30 | TSV Cham (A)
      2027-04-03 15:00 | DJK Dorf (H)`,
  },
  {
    id: 'croix-domicile-exterieur',
    text: `
      Date;Heure;Adversaire;Domicile;Extérieur
      13/03/2027;20h00;FC Bourg;x;
      20/03/2027;18h30;US Caudry;;x`,
    events: `
      2027-03-13 20:00 | FC Bourg (H)
      2027-03-20 18:30 | US Caudry (A)`,
  },
  {
    id: 'heim-ja-nein',
    text: `
      Datum;Zeit;Gegner;Heimspiel
      14.03.2027;11:00;HC Berg;ja
      21.03.2027;16:00;TV Cham;nein`,
    events: `
      2027-03-14 11:00 | HC Berg (H)
      2027-03-21 16:00 | TV Cham (A)`,
  },
  {
    id: 'ranges-with-end',
    text: `
      Termin;Was;Ort
      vom 5. bis 9. April 2027;Ferienspiele;Jugendzentrum
      12./13.06.2027;Turnfest;Stadion
      30.7.-1.8.2027;Zeltlager;Waldsee
      11.09.2027;Tag der offenen Tür;Vereinsheim`,
    events: `
      2027-04-05 > 2027-04-09 | Ferienspiele | Jugendzentrum
      2027-06-12 > 2027-06-13 | Turnfest | Stadion
      2027-07-30 > 2027-08-01 | Zeltlager | Waldsee
      2027-09-11 | Tag der offenen Tür | Vereinsheim`,
    told: /several days/,
  },
  {
    id: 'ranges-english',
    text: `
      Date,Event,Place
      5-7 June 2027,Lake camp,Moss Lake
      Sat 4 - Sun 5 September 2027,Regional show,Show ground
      18 September 2027,Clean-up,Clubhouse`,
    events: `
      2027-06-05 > 2027-06-07 | Lake camp | Moss Lake
      2027-09-04 > 2027-09-05 | Regional show | Show ground
      2027-09-18 | Clean-up | Clubhouse`,
    told: /several days/,
  },
  {
    id: 'ranges-french-dutch-words',
    text: `
      Date;Activité;Lieu
      du 10 au 12 avril 2027;Stage de printemps;Gîte du Pin
      17 avril 2027;Repas des anciens;Salle des fêtes
      du 30 avril au 2 mai 2027;Week-end voile;Lac bleu`,
    events: `
      2027-04-10 > 2027-04-12 | Stage de printemps | Gîte du Pin
      2027-04-17 | Repas des anciens | Salle des fêtes
      2027-04-30 > 2027-05-02 | Week-end voile | Lac bleu`,
    told: /several days/,
  },
  {
    id: 'range-with-times',
    text: `
      Wann;Was
      Sa 06.03.2027 14 Uhr - So 07.03.2027 11 Uhr;Probenwochenende
      13.03.2027 19:30 - 22:00 Uhr;Konzert`,
    events: `
      2027-03-06 14:00 > 2027-03-07 11:00 | Probenwochenende
      2027-03-13 19:30-22:00 | Konzert`,
    told: /several days/,
  },
  {
    id: 'list-of-days',
    text: `
      Datum;Was
      9./16./23. Januar 2027;Eislauftraining
      5.2. und 12.2.2027;Bastelabend
      20.02.2027;Rodeltag`,
    events: `
      2027-01-09 | Eislauftraining
      2027-01-16 | Eislauftraining
      2027-01-23 | Eislauftraining
      2027-02-05 | Bastelabend
      2027-02-12 | Bastelabend
      2027-02-20 | Rodeltag`,
    told: /several days/,
  },
  {
    id: 'kurs-von-bis-wochentag',
    text: `
      Kurs;Von;Bis;Wochentag;Zeit
      Pilates;12.01.2027;30.03.2027;Dienstag;18:00-19:00
      Zumba;14.01.2027;25.03.2027;Donnerstag;19:30-20:30`,
    events: '',
    told: /\b(every|weekly)\b/i,
  },
  {
    id: 'cours-du-au-jour',
    text: `
      Cours;Du;Au;Jour;Heure
      Gym douce;12/01/2027;23/03/2027;mardi;10h-11h
      Danse;13/01/2027;24/03/2027;mercredi;18h-19h30`,
    events: '',
    told: /\b(every|weekly)\b/i,
  },
  {
    id: 'two-starts-with-slash',
    text: `
      Datum;Uhrzeit;Anlass
      06.03.2027;10:00 / 14:30;Kindertheater
      07.03.2027;15:00;Kindertheater
      13.03.2027;19.30/20.00;Lesung`,
    events: `
      2027-03-06 10:00 | Kindertheater
      2027-03-07 15:00 | Kindertheater
      2027-03-13 19:30 | Lesung`,
    told: /10:00 \/ 14:30/,
  },
  {
    id: 'utc-behind-the-time',
    text: `
      Date,Time,What,Where
      2027-01-16,19:30 UTC,Online contest,80 m
      2027-02-20,18:00 UTC,Net evening,2 m`,
    events: `
      2027-01-16 20:30 | Online contest | 80 m
      2027-02-20 19:00 | Net evening | 2 m`,
  },
  {
    id: 'est-behind-the-time',
    text: `
      Date,Time,What
      2027-01-16,1:00 PM EST,Partner call
      2027-02-20,18:00 CET,Board call`,
    events: `
      2027-01-16 19:00 | Partner call
      2027-02-20 18:00 | Board call`,
    told: /\bzone\b/,
  },
  {
    id: 'teams-in-sheet-names',
    sheets: {
      'Herren 1': `
        Datum | Zeit | Gegner | Ort
        2027-03-13#dd.mm.yyyy | 18:00#hh:mm | TV Berg | Halle Au
        2027-03-20#dd.mm.yyyy | 19:30#hh:mm | SC Cham | Röhrliberg`,
      'Damen 1': `
        Datum | Zeit | Gegner | Ort
        2027-03-13#dd.mm.yyyy | 18:00#hh:mm | TV Berg | Halle Au
        2027-03-21#dd.mm.yyyy | 14:00#hh:mm | HC Dorf | Dorfhalle`,
    },
    events: `
      2027-03-13 18:00 | Herren 1 – TV Berg | Halle Au
      2027-03-20 19:30 | Herren 1 – SC Cham | Röhrliberg
      2027-03-13 18:00 | Damen 1 – TV Berg | Halle Au
      2027-03-21 14:00 | Damen 1 – HC Dorf | Dorfhalle`,
  },
  {
    id: 'old-sheet-beside-the-plan',
    sheets: {
      Plan: `
        Datum | Was
        2027-03-13#dd.mm.yyyy | Frühjahrsputz
        2027-05-08#dd.mm.yyyy | Maiwanderung`,
      'Plan alt': `
        Datum | Was
        2027-03-06#dd.mm.yyyy | Frühjahrsputz
        2027-05-01#dd.mm.yyyy | Maiwanderung`,
    },
    events: `
      2027-03-13 | Frühjahrsputz
      2027-05-08 | Maiwanderung`,
  },
  {
    id: 'copy-of-a-sheet',
    sheets: {
      Plan: `
        Datum | Was | Ort
        2027-03-13#dd.mm.yyyy | Vereinsabend | Krone
        2027-04-10#dd.mm.yyyy | Ausflug | Seeufer`,
      'Plan (2)': `
        Datum | Was | Ort
        2027-03-13#dd.mm.yyyy | Vereinsabend | Adler
        2027-04-10#dd.mm.yyyy | Ausflug | Seeufer`,
    },
    events: `
      2027-03-13 | Vereinsabend | Krone
      2027-04-10 | Ausflug | Seeufer`,
  },
  {
    id: 'second-sheet-from-column-b',
    sheets: {
      Frühjahr: `
        Datum | Was
        2027-03-13#dd.mm.yyyy | Angrillen
        2027-04-17#dd.mm.yyyy | Radtour`,
      Herbst: `
         | Datum | Was
         | 2027-09-18#dd.mm.yyyy | Weinfest
         | 2027-10-16#dd.mm.yyyy | Drachensteigen`,
    },
    events: `
      2027-03-13 | Angrillen
      2027-04-17 | Radtour
      2027-09-18 | Weinfest
      2027-10-16 | Drachensteigen`,
    told: /Herbst.*(event|date)/i,
  },
  {
    id: 'own-team-and-opponent',
    text: `
      Mannschaft;Datum;Zeit;Gegner;Halle
      Damen 2;16.01.2027;14:00;SV Berg;Halle Au
      Herren 1;16.01.2027;16:00;SV Berg;Halle Au
      U16;17.01.2027;11:00;TSV Cham;Halle West`,
    events: `
      2027-01-16 14:00 | Damen 2 – SV Berg | Halle Au
      2027-01-16 16:00 | Herren 1 – SV Berg | Halle Au
      2027-01-17 11:00 | U16 – TSV Cham | Halle West`,
  },
  {
    id: 'equipe-adversaire',
    text: `
      Équipe;Adversaire;Date;Heure;Salle
      Seniors F;Bourg;16/01/2027;18h00;Gymnase Zola
      U15 M;Caudry;17/01/2027;10h30;Gymnase Zola`,
    events: `
      2027-01-16 18:00 | Seniors F – Bourg | Gymnase Zola
      2027-01-17 10:30 | U15 M – Caudry | Gymnase Zola`,
  },
  {
    id: 'absagen-in-bemerkung',
    text: `
      Datum;Was;Bemerkung
      06.03.2027;Wanderung;findet nicht statt
      13.03.2027;Grillabend;wegen Sturm abgesagt
      20.03.2027;Skatturnier;fällt leider aus
      27.03.2027;Osterfeuer;bitte anmelden
      03.04.2027;Radtour;wurde abgesagt`,
    events: `
      2027-03-06 | Wanderung | | cancelled
      2027-03-13 | Grillabend | | cancelled
      2027-03-20 | Skatturnier | | cancelled
      2027-03-27 | Osterfeuer | | "bitte anmelden"
      2027-04-03 | Radtour | | cancelled`,
    told: /may be cancelled/,
  },
  {
    id: 'absage-cross-column',
    text: `
      Datum;Was;Absage
      06.03.2027;Kegeln;
      13.03.2027;Spieleabend;x
      20.03.2027;Preisskat;`,
    events: `
      2027-03-06 | Kegeln
      2027-03-13 | Spieleabend | | cancelled
      2027-03-20 | Preisskat`,
  },
  {
    id: 'findet-statt-nein',
    text: `
      Datum;Zeit;Kurs;Findet statt
      08.03.2027;18:00;Nähkurs;ja
      15.03.2027;18:00;Kochkurs;nein
      22.03.2027;18:00;Malkurs;ja`,
    events: `
      2027-03-08 18:00 | Nähkurs
      2027-03-15 18:00 | Kochkurs | | cancelled
      2027-03-22 18:00 | Malkurs`,
  },
  {
    id: 'annule-in-remarque',
    text: `
      Date;Sortie;Remarque
      06/03/2027;Marche nordique;n'a pas lieu
      13/03/2027;Balade contée;est annulée
      20/03/2027;Cueillette;prévoir un panier`,
    events: `
      2027-03-06 | Marche nordique | | cancelled
      2027-03-13 | Balade contée | | cancelled
      2027-03-20 | Cueillette | | "prévoir un panier"`,
    told: /may be cancelled/,
  },
  {
    id: 'cancelled-behind-the-name',
    text: `
      Date,Time,Event
      06/03/2027,19:00,Quiz night - has been cancelled
      13/03/2027,19:00,Barn dance
      20/03/2027,15:00,Egg hunt - postponed to 27 March`,
    options: { dateOrder: 'dmy' },
    events: `
      2027-03-06 19:00 | Quiz night - has been cancelled ~ Quiz night | | cancelled
      2027-03-13 19:00 | Barn dance
      2027-03-20 15:00 | Egg hunt - postponed to 27 March ~ Egg hunt | | cancelled`,
    told: /may be cancelled|Egg hunt/,
  },
  {
    id: 'afgelast-in-opmerking',
    text: `
      Datum;Activiteit;Opmerking
      06-03-2027;Wandeltocht;afgelast wegens storm
      13-03-2027;Klaverjassen;verplaatst naar 20 maart
      27-03-2027;Paasbrunch;graag opgeven`,
    events: `
      2027-03-06 | Wandeltocht | | cancelled
      2027-03-13 | Klaverjassen | | cancelled
      2027-03-27 | Paasbrunch | | "graag opgeven"`,
    told: /may be cancelled|20 maart/,
  },
  {
    id: 'nachholtermin-column',
    text: `
      Datum;Heim;Gast;Nachholtermin
      06.03.2027;SV Au;FC Berg;
      13.03.2027;TSV Cham;SV Au;24.03.2027
      20.03.2027;SV Au;DJK Dorf;`,
    events: `
      2027-03-06 | SV Au – FC Berg
      2027-03-13 | TSV Cham – SV Au | | cancelled
      2027-03-20 | SV Au – DJK Dorf`,
    told: /24\.03\.2027|24 March/,
  },
  {
    id: 'zeit-entfaellt',
    text: `
      Datum;Zeit;Training
      05.04.2027;entfällt;Lauftreff
      12.04.2027;18:30;Lauftreff
      19.04.2027;18:30;Lauftreff Wald`,
    events: `
      2027-04-05 | Lauftreff | | cancelled
      2027-04-12 18:30 | Lauftreff
      2027-04-19 18:30 | Lauftreff Wald`,
  },
  {
    id: 'ersatztermin-is-on',
    text: `
      Datum;Was;Hinweis
      06.03.2027;Baumschnitt;Ersatztermin für 27.2. (abgesagt)
      13.03.2027;Saatguttausch;Anmeldung nicht abgesagt lassen`,
    events: `
      2027-03-06 | Baumschnitt
      2027-03-13 | Saatguttausch`,
    told: /Row 2 is cancelled/,
  },
  {
    id: 'html-notes-of-a-calendar',
    as: 'ics',
    text: `
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Google Inc//Google Calendar 70.9054//EN
      BEGIN:VEVENT
      UID:abc@google.com
      DTSTART:20270306T130000Z
      DTEND:20270306T150000Z
      SUMMARY:Kaffee &amp; Kuchen
      DESCRIPTION:<p>Bitte <b>Tassen</b> mitbringen</p><p>Gäste&nbsp;willkommen</p>
      LOCATION:Gemeindehaus
      END:VEVENT
      END:VCALENDAR`,
    events: `
      2027-03-06 14:00-16:00 | Kaffee & Kuchen | Gemeindehaus | "Bitte Tassen mitbringen"`,
  },
  {
    id: 'uid-used-three-times',
    as: 'ics',
    text: `
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Office//Export//DE
      BEGIN:VEVENT
      UID:1
      DTSTART;TZID=Europe/Berlin:20270306T150000
      SUMMARY:SV Au – FC Berg
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      DTSTART;TZID=Europe/Berlin:20270313T150000
      SUMMARY:TSV Cham – SV Au
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      DTSTART;TZID=Europe/Berlin:20270320T150000
      SUMMARY:SV Au – DJK Dorf
      END:VEVENT
      END:VCALENDAR`,
    events: `
      2027-03-06 15:00 | SV Au – FC Berg
      2027-03-13 15:00 | TSV Cham – SV Au
      2027-03-20 15:00 | SV Au – DJK Dorf`,
  },
  {
    id: 'two-columns-datum',
    text: `
      Datum;Damen;;Datum;Herren
      06.03.2027;FC Berg;;07.03.2027;SC Cham
      13.03.2027;TV Dorf;;14.03.2027;SV Eich`,
    events: `
      2027-03-06 | Damen – FC Berg ~ FC Berg
      2027-03-07 | Herren – SC Cham ~ SC Cham
      2027-03-13 | Damen – TV Dorf ~ TV Dorf
      2027-03-14 | Herren – SV Eich ~ SV Eich`,
  },
  {
    id: 'totals-in-the-last-row',
    text: `
      Datum;Zeit;Heim;Gast;Tore
      06.03.2027;18:00;HSG Au;TV Berg;
      13.03.2027;19:00;SG Cham;HSG Au;
      Gesamt;2 Spiele;;;0:0`,
    events: `
      2027-03-06 18:00 | HSG Au – TV Berg
      2027-03-13 19:00 | SG Cham – HSG Au`,
  },
  {
    id: 'legend-in-the-last-row',
    text: `
      Datum;Was;Ort
      06.03.2027;Frühschoppen;Krone
      13.03.2027;Maskenball;Saal
      ;;rot = fällt aus`,
    events: `
      2027-03-06 | Frühschoppen | Krone
      2027-03-13 | Maskenball | Saal`,
  },
  {
    id: 'one-row-without-a-day',
    text: `
      Datum;Was
      06.03.2027;Winteraustreiben
      Ostern 2027;Eiersuche
      15.05.2027;Maifest`,
    events: `
      2027-03-06 | Winteraustreiben
      2027-03-28 | Eiersuche
      2027-05-15 | Maifest`,
    told: /Ostern 2027/,
  },
  {
    id: 'month-only-cells',
    sheets: {
      Jahr: `
        Monat | Thema
        2027-03-01#mmmm yyyy | Rosenschnitt
        2027-04-01#mmmm yyyy | Pflanzentausch`,
    },
    events: '',
    told: /\bmonths?\b|no exact date/,
  },
  {
    id: 'invoice-place-beside-place',
    text: `
      Datum;Was;Ort;Ort Rechnung
      06.03.2027;Konzert;Stadthalle;Musterweg 1, 71111 Au
      13.03.2027;Workshop;Musikschule;Musterweg 1, 71111 Au`,
    events: `
      2027-03-06 | Konzert | Stadthalle
      2027-03-13 | Workshop | Musikschule`,
    told: /Ort Rechnung/,
  },
  {
    id: 'running-time-of-films',
    text: `
      Datum;Film;Laufzeit
      05.03.2027;Das Piano;02:01
      12.03.2027;Die Reise;01:38`,
    events: `
      2027-03-05 | Das Piano
      2027-03-12 | Die Reise`,
    told: /Laufzeit/,
  },
  {
    id: 'access-times',
    text: `
      Datum;Uhrzeit;Anlass
      06.03.2027 00:00:00;30.12.1899 18:00:00;Heringsessen
      13.03.2027 00:00:00;30.12.1899 19:30:00;Liederabend`,
    events: `
      2027-03-06 18:00 | Heringsessen
      2027-03-13 19:30 | Liederabend`,
  },
  {
    id: 'french-a-as-heading',
    text: `
      Le;À;Quoi;Où
      06/03/2027;18h45;Répétition générale;Salle Hugo
      21/03/2027;16h00;Concert;Église`,
    events: `
      2027-03-06 18:45 | Répétition générale | Salle Hugo
      2027-03-21 16:00 | Concert | Église`,
  },
  {
    id: 'pm-and-am-with-days',
    text: `
      Date,Time,Event
      3/13/2027,Sat 11:40 AM,Swim heat
      3/14/2027,Sun 1:05 PM,Swim final`,
    events: `
      2027-03-13 11:40 | Swim heat
      2027-03-14 13:05 | Swim final`,
  },
  {
    id: 'end-before-start',
    text: `
      Datum;Von;Bis;Was
      06.03.2027;20:00;01:00;Faschingsball
      13.03.2027;18:00;17:00;Sitzung`,
    events: `
      2027-03-06 20:00 > 2027-03-07 01:00 | Faschingsball
      2027-03-13 18:00 | Sitzung`,
    told: /17:00/,
  },
  {
    id: 'years-that-are-typing-errors',
    text: `
      Datum;Was
      06.03.2027;Hauptversammlung
      13.03.3027;Probe
      20.03.2027;Konzert`,
    events: `
      2027-03-06 | Hauptversammlung
      2027-03-13 | Probe
      2027-03-20 | Konzert`,
    told: /3027/,
  },
  {
    id: 'text-encoded-twice',
    text: `
      Datum;Was;Ort
      06.03.2027;FrÃ¼hlingsfest;StraÃŸe
      13.03.2027;KÃ¶nigsschieÃŸen;Schießstand`,
    events: `
      2027-03-06 | Frühlingsfest | Straße
      2027-03-13 | Königsschießen | Schießstand`,
    told: /FrÃ¼hlingsfest|encod/,
  },
];
