import type { ClubFile } from './club-file.ts';

/** Ordinary plans, as most clubs have them. */
export const ordinary: readonly ClubFile[] = [
  {
    id: 'three-columns-de',
    text: `
      Datum;Veranstaltung;Ort
      09.01.2027;Neujahrsempfang;Rathaus
      13.02.2027;Faschingsball;Turnhalle
      24.04.2027;Pflanzenmarkt;Dorfplatz`,
    events: `
      2027-01-09 | Neujahrsempfang | Rathaus
      2027-02-13 | Faschingsball | Turnhalle
      2027-04-24 | Pflanzenmarkt | Dorfplatz`,
  },
  {
    id: 'three-columns-en',
    text: `
      Date,Event,Venue
      9 January 2027,Twelfth night supper,Parish hall
      13 February 2027,Ceilidh,School
      24 April 2027,Plant sale,Village green`,
    events: `
      2027-01-09 | Twelfth night supper | Parish hall
      2027-02-13 | Ceilidh | School
      2027-04-24 | Plant sale | Village green`,
  },
  {
    id: 'three-columns-fr',
    text: `
      Date;Événement;Lieu
      09/01/2027;Galette des rois;Salle polyvalente
      13/02/2027;Carnaval;Place du marché
      24/04/2027;Foire aux plantes;Parc`,
    events: `
      2027-01-09 | Galette des rois | Salle polyvalente
      2027-02-13 | Carnaval | Place du marché
      2027-04-24 | Foire aux plantes | Parc`,
  },
  {
    id: 'three-columns-nl',
    text: `
      Datum;Activiteit;Locatie
      09-01-2027;Nieuwjaarsborrel;Kantine
      13-02-2027;Carnaval;Feestzaal
      24-04-2027;Plantenmarkt;Dorpsplein`,
    events: `
      2027-01-09 | Nieuwjaarsborrel | Kantine
      2027-02-13 | Carnaval | Feestzaal
      2027-04-24 | Plantenmarkt | Dorpsplein`,
  },
  {
    id: 'title-above',
    text: `
      Obst- und Gartenbauverein Au;;
      Jahresprogramm 2027;;
      ;;
      Datum;Uhrzeit;Thema
      20.02.2027;14:00;Schnittkurs
      17.04.2027;10:00;Veredelung
      09.10.2027;09:00;Mosten`,
    events: `
      2027-02-20 14:00 | Schnittkurs
      2027-04-17 10:00 | Veredelung
      2027-10-09 09:00 | Mosten`,
  },
  {
    id: 'start-and-end-times',
    text: `
      Tag;Datum;Beginn;Ende;Was;Wo
      Mo;11.01.2027;19:00;21:00;Vorstandssitzung;Vereinsheim
      Sa;23.01.2027;14:00;17:30;Seniorennachmittag;Pfarrsaal`,
    events: `
      2027-01-11 19:00-21:00 | Vorstandssitzung | Vereinsheim
      2027-01-23 14:00-17:30 | Seniorennachmittag | Pfarrsaal`,
  },
  {
    id: 'weekday-inside-the-date',
    text: `
      Termin;Anlass
      Sa., 06.02.2027, 19:11 Uhr;Prunksitzung
      So., 07.02.2027, 14:11 Uhr;Kinderfasching
      Di., 09.02.2027, 13:33 Uhr;Umzug`,
    events: `
      2027-02-06 19:11 | Prunksitzung
      2027-02-07 14:11 | Kinderfasching
      2027-02-09 13:33 | Umzug`,
  },
  {
    id: 'written-months-de',
    text: `
      Wann;Was
      3. März 2027, 18 Uhr;Mitgliederversammlung
      21. August 2027;Sommernacht
      6. Dezember 2027, 17 Uhr;Nikolausfeier`,
    events: `
      2027-03-03 18:00 | Mitgliederversammlung
      2027-08-21 | Sommernacht
      2027-12-06 17:00 | Nikolausfeier`,
  },
  {
    id: 'written-months-fr',
    text: `
      Quand;Quoi;Où
      mercredi 3 mars 2027 à 18h;Réunion du bureau;Local
      samedi 21 août 2027;Fête du village;Place
      lundi 6 décembre 2027 à 17h30;Saint-Nicolas;École`,
    events: `
      2027-03-03 18:00 | Réunion du bureau | Local
      2027-08-21 | Fête du village | Place
      2027-12-06 17:30 | Saint-Nicolas | École`,
  },
  {
    id: 'written-months-nl',
    text: `
      Wanneer;Wat;Waar
      3 maart 2027 19.30 uur;Ledenvergadering;Clubhuis
      21 augustus 2027;Zomerfeest;Weide
      4 december 2027 15:00 uur;Sinterklaas;School`,
    events: `
      2027-03-03 19:30 | Ledenvergadering | Clubhuis
      2027-08-21 | Zomerfeest | Weide
      2027-12-04 15:00 | Sinterklaas | School`,
  },
  {
    id: 'home-and-away-en',
    text: `
      Date,Kick-off,Home,Away,Venue
      2027-02-06,15:00,Ash United,Brook Town,Ash Lane
      2027-02-13,14:00,Cole City,Ash United,The Meadow`,
    events: `
      2027-02-06 15:00 | Ash United – Brook Town | Ash Lane
      2027-02-13 14:00 | Cole City – Ash United | The Meadow`,
  },
  {
    id: 'home-and-away-fr',
    text: `
      Date;Heure;Domicile;Extérieur
      06/02/2027;20:00;Aulnoy;Bourg
      13/02/2027;18:30;Caudry;Aulnoy`,
    events: `
      2027-02-06 20:00 | Aulnoy – Bourg
      2027-02-13 18:30 | Caudry – Aulnoy`,
  },
  {
    id: 'home-and-away-nl',
    text: `
      Datum;Tijd;Thuis;Uit
      06-02-2027;20:00;Au 1;Berg 2
      13-02-2027;19:15;Cham 1;Au 1`,
    events: `
      2027-02-06 20:00 | Au 1 – Berg 2
      2027-02-13 19:15 | Cham 1 – Au 1`,
  },
  {
    id: 'status-cancelled-en',
    text: `
      Date,Time,Event,Status
      2027-03-06,10:00,Jumble sale,Confirmed
      2027-03-13,19:30,Concert,Cancelled
      2027-03-20,11:00,Coffee morning,Confirmed`,
    events: `
      2027-03-06 10:00 | Jumble sale
      2027-03-13 19:30 | Concert | | cancelled
      2027-03-20 11:00 | Coffee morning`,
  },
  {
    id: 'status-abgesagt',
    text: `
      Datum;Was;Status
      06.03.2027;Wanderung;findet statt
      13.03.2027;Radtour;abgesagt
      20.03.2027;Hütte;findet statt`,
    events: `
      2027-03-06 | Wanderung
      2027-03-13 | Radtour | | cancelled
      2027-03-20 | Hütte`,
  },
  {
    id: 'notes-kept',
    text: `
      Datum;Zeit;Was;Ort;Bemerkung
      06.03.2027;9:00;Arbeitseinsatz;Clubgelände;Handschuhe mitbringen
      13.03.2027;19:00;Spieleabend;Clubheim;`,
    events: `
      2027-03-06 09:00 | Arbeitseinsatz | Clubgelände | "Handschuhe mitbringen"
      2027-03-13 19:00 | Spieleabend | Clubheim`,
  },
  {
    id: 'quoted-line-break',
    text: `
      Datum;Was;Hinweis
      06.03.2027;Ausflug;"Abfahrt Marktplatz,
      Rückkehr abends"
      13.03.2027;Stammtisch;`,
    events: `
      2027-03-06 | Ausflug | | "Rückkehr abends"
      2027-03-13 | Stammtisch`,
  },
  {
    id: 'tabs',
    as: 'txt',
    text: `
      Date\tEvent\tPlace
      2027-04-03\tEgg hunt\tOrchard
      2027-06-19\tMidsummer picnic\tHill`,
    events: `
      2027-04-03 | Egg hunt | Orchard
      2027-06-19 | Midsummer picnic | Hill`,
  },
  {
    id: 'american-dates',
    text: `
      Date,Start,End,Event,Location
      4/17/2027,8:00 AM,11:30 AM,Pancake breakfast,Fire station
      5/22/2027,7:00 PM,9:00 PM,Talent show,High school`,
    events: `
      2027-04-17 08:00-11:30 | Pancake breakfast | Fire station
      2027-05-22 19:00-21:00 | Talent show | High school`,
  },
  {
    id: 'british-dates',
    text: `
      Date,Time,Event
      13/03/2027,7.30pm,AGM
      17/04/2027,2pm,Spring walk
      26/06/2027,12 noon,Summer lunch`,
    events: `
      2027-03-13 19:30 | AGM
      2027-04-17 14:00 | Spring walk
      2027-06-26 12:00 | Summer lunch`,
  },
  {
    id: 'empty-rows-between',
    text: `
      Datum;Was
      ;
      09.01.2027;Winterlauf
      ;
      06.03.2027;Frühlingslauf
      ;`,
    events: `
      2027-01-09 | Winterlauf
      2027-03-06 | Frühlingslauf`,
  },
  {
    id: 'months-in-rows',
    text: `
      Jahresplan 2027;;
      Tag;Was;Ort
      Januar;;
      16.;Schlittenfahrt;Nordhang
      30.;Spieleabend;Clubheim
      Februar;;
      13.;Kostümfest;Saal`,
    events: `
      2027-01-16 | Schlittenfahrt | Nordhang
      2027-01-30 | Spieleabend | Clubheim
      2027-02-13 | Kostümfest | Saal`,
  },
  {
    id: 'year-only-in-the-title',
    text: `
      Programm 2027;
      Datum;Was
      16.01.;Dreikönigsturnier
      27.02.;Kappenabend
      05.06.;Grillfest`,
    events: `
      2027-01-16 | Dreikönigsturnier
      2027-02-27 | Kappenabend
      2027-06-05 | Grillfest`,
  },
  {
    id: 'season-in-the-title',
    text: `
      Spielplan Saison 2027/28;;;
      Datum;Zeit;Heim;Gast
      11.09.;18:00;HSG Au;TV Berg
      13.11.;19:30;SG Cham;HSG Au
      15.01.;18:00;HSG Au;HC Dorf`,
    events: `
      2027-09-11 18:00 | HSG Au – TV Berg
      2027-11-13 19:30 | SG Cham – HSG Au
      2028-01-15 18:00 | HSG Au – HC Dorf`,
  },
  {
    id: 'from-option-for-the-year',
    text: `
      Datum;Zeit;Was
      10.1.;10 Uhr;Frühschoppen
      14.3.;15 Uhr;Kaffeekonzert
      2.5.;11 Uhr;Anradeln`,
    options: { window: { from: new Date('2026-12-31T23:00:00Z') } },
    events: `
      2027-01-10 10:00 | Frühschoppen
      2027-03-14 15:00 | Kaffeekonzert
      2027-05-02 11:00 | Anradeln`,
  },
  {
    id: 'street-and-town',
    text: `
      Datum;Beginn;Veranstaltung;Ort;Straße
      06.03.2027;20:00;Blasmusikabend;Gasthof Post;Hauptstr. 12
      13.03.2027;19:00;Vortrag Bienen;Imkerhaus;Waldweg 1`,
    events: `
      2027-03-06 20:00 | Blasmusikabend | Gasthof Post, Hauptstr. 12 ~ Gasthof Post
      2027-03-13 19:00 | Vortrag Bienen | Imkerhaus, Waldweg 1 ~ Imkerhaus`,
  },
  {
    id: 'numbered-rows',
    text: `
      Nr.;Datum;Zeit;Was;Wo
      1;12.01.2027;20:00;Probe;Musikheim
      2;19.01.2027;20:00;Probe mit Solisten;Musikheim
      3;24.01.2027;17:00;Winterkonzert;Festhalle`,
    events: `
      2027-01-12 20:00 | Probe | Musikheim
      2027-01-19 20:00 | Probe mit Solisten | Musikheim
      2027-01-24 17:00 | Winterkonzert | Festhalle`,
  },
  {
    id: 'organiser-beside-event',
    text: `
      Datum;Veranstaltung;Veranstalter;Ort
      06.03.2027;Ostermarkt;Landfrauen;Bürgerhaus
      01.05.2027;Maibaumstellen;Feuerwehr;Dorfplatz`,
    events: `
      2027-03-06 | Ostermarkt | Bürgerhaus
      2027-05-01 | Maibaumstellen | Dorfplatz`,
  },
  {
    id: 'leader-beside-hike',
    text: `
      Datum;Abmarsch;Wanderung;Führung
      Sonntag, 17.01.2027;9:30;Rund um den Kapf;Horst Steig
      Sonntag, 21.02.2027;9:00;Winterwald;Grete Pfad`,
    events: `
      2027-01-17 09:30 | Rund um den Kapf
      2027-02-21 09:00 | Winterwald`,
    told: /Abmarsch/,
  },
  {
    id: 'training-and-match-mixed',
    text: `
      Datum;Zeit;Art;Was
      12.01.2027;18:00-19:30;Training;Kondition
      16.01.2027;14:00-16:00;Spiel;gegen SV Berg
      19.01.2027;18:00-19:30;Training;Taktik`,
    events: `
      2027-01-12 18:00-19:30 | Kondition
      2027-01-16 14:00-16:00 | gegen SV Berg
      2027-01-19 18:00-19:30 | Taktik`,
  },
  {
    id: 'iso-moments',
    text: `
      start,end,title,location
      2027-03-06T18:00,2027-03-06T20:00,Reading circle,Library
      2027-03-13T09:30,2027-03-13T12:00,Repair café,Workshop`,
    events: `
      2027-03-06 18:00-20:00 | Reading circle | Library
      2027-03-13 09:30-12:00 | Repair café | Workshop`,
  },
  {
    id: 'umlauts-and-quotes',
    text: `
      "Datum";"Veranstaltung";"Ort"
      "06.03.2027";"Lesung ""Der Fährmann""";"Bücherei; 1. Stock"
      "13.03.2027";"Müllsammelaktion";"Weiher"`,
    events: `
      2027-03-06 | Lesung "Der Fährmann" | Bücherei; 1. Stock
      2027-03-13 | Müllsammelaktion | Weiher`,
  },
  {
    id: 'ended-by-printed-line',
    text: `
      Datum;Was
      06.03.2027;Vereinsmeisterschaft
      13.03.2027;Siegerehrung
      Stand: 01.12.2026;`,
    events: `
      2027-03-06 | Vereinsmeisterschaft
      2027-03-13 | Siegerehrung`,
  },
  {
    id: 'simple-ics',
    as: 'ics',
    text: `
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Test//DE
      BEGIN:VEVENT
      UID:a1@verein.example
      DTSTART:20270306T180000
      DTEND:20270306T200000
      SUMMARY:Bürgerversammlung
      LOCATION:Rathaus
      DESCRIPTION:Mit Fragestunde
      END:VEVENT
      END:VCALENDAR`,
    events: '2027-03-06 18:00-20:00 | Bürgerversammlung | Rathaus | "Mit Fragestunde"',
  },
  {
    id: 'weekly-ics',
    as: 'ics',
    text: `
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Test//EN
      BEGIN:VEVENT
      UID:w1@club.example
      DTSTART;TZID=Europe/Berlin:20270105T190000
      DTEND;TZID=Europe/Berlin:20270105T203000
      RRULE:FREQ=WEEKLY;COUNT=3
      EXDATE;TZID=Europe/Berlin:20270112T190000
      SUMMARY:Choir practice
      END:VEVENT
      END:VCALENDAR`,
    events: `
      2027-01-05 19:00-20:30 | Choir practice
      2027-01-19 19:00-20:30 | Choir practice`,
  },
  {
    id: 'workbook-plain',
    sheets: {
      Tabelle1: `
        Datum | Uhrzeit | Veranstaltung | Ort
        2027-01-09#dd.mm.yyyy | 19:00#hh:mm | Jahresauftakt | Krone
        2027-02-06#dd.mm.yyyy | 20:11#hh:mm | Narrenball | Festhalle
        2027-03-20#dd.mm.yyyy | 14:00#hh:mm | Osterbasteln | Kinderhaus`,
    },
    events: `
      2027-01-09 19:00 | Jahresauftakt | Krone
      2027-02-06 20:11 | Narrenball | Festhalle
      2027-03-20 14:00 | Osterbasteln | Kinderhaus`,
  },
  {
    id: 'workbook-date-with-time',
    sheets: {
      Fixtures: `
        When | Home team | Away team | Ground
        2027-02-06 14:30#dd/mm/yyyy hh:mm | Ash | Brook | Ash Rec
        2027-02-13 11:00#dd/mm/yyyy hh:mm | Cole | Ash | Cole Park`,
    },
    events: `
      2027-02-06 14:30 | Ash – Brook | Ash Rec
      2027-02-13 11:00 | Cole – Ash | Cole Park`,
  },
  {
    id: 'workbook-merged-day',
    sheets: {
      Turnier: `
        Datum | Zeit | Spiel | Feld
        2027-06-12#dd.mm.yyyy | 09:00#hh:mm | Gruppe A | 1
         | 10:30#hh:mm | Gruppe B | 2
         | 14:00#hh:mm | Finale | 1
        2027-06-13#dd.mm.yyyy | 10:00#hh:mm | Familienturnier | 2`,
    },
    merged: ['A2:A4'],
    events: `
      2027-06-12 09:00 | Gruppe A | 1 ~ Feld 1 ~
      2027-06-12 10:30 | Gruppe B | 2 ~ Feld 2 ~
      2027-06-12 14:00 | Finale | 1 ~ Feld 1 ~
      2027-06-13 10:00 | Familienturnier | 2 ~ Feld 2 ~`,
  },
  {
    id: 'workbook-merged-title',
    sheets: {
      '2027': `
        Veranstaltungskalender Heimatverein Au | | |
         | | |
        Datum | Zeit | Was | Wo
        2027-04-10#dd.mm.yyyy | 15:00#hh:mm | Mühlenführung | Mühle
        2027-05-17#dd.mm.yyyy | 11:00#hh:mm | Mühlentag | Mühle`,
    },
    merged: ['A1:D1'],
    events: `
      2027-04-10 15:00 | Mühlenführung | Mühle
      2027-05-17 11:00 | Mühlentag | Mühle`,
  },
  {
    id: 'workbook-two-halves',
    sheets: {
      Hinrunde: `
        Datum | Anpfiff | Heim | Gast
        2027-08-21#dd.mm.yyyy | 15:00#hh:mm | SV Au | FC Berg
        2027-09-04#dd.mm.yyyy | 17:00#hh:mm | TSV Cham | SV Au`,
      Rückrunde: `
        Datum | Anpfiff | Heim | Gast
        2028-03-11#dd.mm.yyyy | 15:00#hh:mm | FC Berg | SV Au
        2028-03-25#dd.mm.yyyy | 15:00#hh:mm | SV Au | TSV Cham`,
    },
    events: `
      2027-08-21 15:00 | SV Au – FC Berg
      2027-09-04 17:00 | TSV Cham – SV Au
      2028-03-11 15:00 | FC Berg – SV Au
      2028-03-25 15:00 | SV Au – TSV Cham`,
  },
  {
    id: 'workbook-address-sheet-beside',
    sheets: {
      Termine: `
        Datum | Was | Ort
        2027-03-13#dd.mm.yyyy | Putzaktion | Bootshaus
        2027-05-01#dd.mm.yyyy | Anrudern | Steg`,
      Adressen: `
        Vorname | Nachname | Telefon
        Uta | Kahn | 0171 1
        Ali | Ruder | 0171 2`,
    },
    events: `
      2027-03-13 | Putzaktion | Bootshaus
      2027-05-01 | Anrudern | Steg`,
  },
  {
    id: 'workbook-french',
    sheets: {
      Feuil1: `
        Date | Heure | Manifestation | Lieu
        2027-03-13#dd/mm/yyyy | 20:30#hh:mm | Soirée théâtre | Foyer
        2027-04-11#dd/mm/yyyy | 12:00#hh:mm | Banquet | Salle des fêtes`,
    },
    events: `
      2027-03-13 20:30 | Soirée théâtre | Foyer
      2027-04-11 12:00 | Banquet | Salle des fêtes`,
  },
  {
    id: 'workbook-dutch',
    sheets: {
      Blad1: `
        Datum | Aanvang | Einde | Activiteit | Plaats
        2027-03-13#dd-mm-yyyy | 13:00#hh:mm | 16:30#hh:mm | Jeu de boules | Baan
        2027-04-10#dd-mm-yyyy | 09:30#hh:mm | 12:00#hh:mm | Fietstocht | Markt`,
    },
    events: `
      2027-03-13 13:00-16:30 | Jeu de boules | Baan
      2027-04-10 09:30-12:00 | Fietstocht | Markt`,
  },
  {
    id: 'workbook-times-as-text',
    sheets: {
      Plan: `
        Datum | Uhrzeit | Übung
        2027-01-15#dd.mm.yyyy | 19.30 Uhr | Löschwasser
        2027-01-29#dd.mm.yyyy | 19.30 - 21.30 Uhr | Atemschutz`,
    },
    events: `
      2027-01-15 19:30 | Löschwasser
      2027-01-29 19:30-21:30 | Atemschutz`,
  },
  {
    id: 'workbook-text-dates',
    sheets: {
      Plan: `
        Datum | Was
        Sa 13.03.2027 | Kreistag
        So 14.03.2027 | Familientag`,
    },
    events: `
      2027-03-13 | Kreistag
      2027-03-14 | Familientag`,
  },
  {
    id: 'workbook-two-digit-year',
    sheets: {
      Tabelle1: `
        Tag | Datum | Was | Wo
        Sa | 2027-01-16#dd.mm.yy | Skikurs | Arlberg
        Sa | 2027-02-27#dd.mm.yy | Vereinsrennen | Hausberg`,
    },
    events: `
      2027-01-16 | Skikurs | Arlberg
      2027-02-27 | Vereinsrennen | Hausberg`,
  },
  {
    id: 'workbook-weekday-format',
    sheets: {
      Proben: `
        Wann | Beginn | Was
        2027-01-14#ddd dd.mm.yyyy | 20:00#hh:mm | Gesamtprobe
        2027-01-21#ddd dd.mm.yyyy | 20:00#hh:mm | Stimmprobe Alt`,
    },
    events: `
      2027-01-14 20:00 | Gesamtprobe
      2027-01-21 20:00 | Stimmprobe Alt`,
  },
  {
    id: 'workbook-from-to',
    sheets: {
      Lager: `
        Von | Bis | Maßnahme | Ort
        2027-03-29#dd.mm.yyyy | 2027-04-02#dd.mm.yyyy | Osterfreizeit | Schwarzwald
        2027-08-02#dd.mm.yyyy | 2027-08-13#dd.mm.yyyy | Sommerfreizeit | Ostsee`,
    },
    events: `
      2027-03-29 > 2027-04-02 | Osterfreizeit | Schwarzwald
      2027-08-02 > 2027-08-13 | Sommerfreizeit | Ostsee`,
  },
  {
    id: 'workbook-hall-numbers',
    sheets: {
      Spiele: `
        Spielnr. | Datum | Zeit | Heim | Gast | Halle
        4711#0 | 2027-01-16#dd.mm.yyyy | 15:30#hh:mm | HSG Au | TV Berg | Halle Au
        4725#0 | 2027-01-30#dd.mm.yyyy | 18:00#hh:mm | SG Cham | HSG Au | Röhrliberg`,
    },
    events: `
      2027-01-16 15:30 | HSG Au – TV Berg | Halle Au
      2027-01-30 18:00 | SG Cham – HSG Au | Röhrliberg`,
  },
  {
    id: 'workbook-american',
    sheets: {
      Sheet1: `
        Date | Start Time | End Time | Event | Location
        2027-04-17#m/d/yyyy | 08:00#h:mm AM/PM | 10:30#h:mm AM/PM | Yard sale | Church lot
        2027-05-08#m/d/yyyy | 13:00#h:mm AM/PM | 15:00#h:mm AM/PM | Kite day | Beach`,
    },
    events: `
      2027-04-17 08:00-10:30 | Yard sale | Church lot
      2027-05-08 13:00-15:00 | Kite day | Beach`,
  },
  {
    id: 'workbook-months-as-headings',
    sheets: {
      Jahr: `
        Jahresprogramm 2027 | |
        Tag | Was | Wo
        März | |
        6#0 | Saatguttausch | Scheune
        20#0 | Schnittkurs | Obstwiese
        April | |
        17#0 | Pflanzenmarkt | Hof`,
    },
    events: `
      2027-03-06 | Saatguttausch | Scheune
      2027-03-20 | Schnittkurs | Obstwiese
      2027-04-17 | Pflanzenmarkt | Hof`,
  },
  {
    id: 'workbook-status-column',
    sheets: {
      Plan: `
        Datum | Zeit | Kurs | Status
        2027-03-01#dd.mm.yyyy | 18:00#hh:mm | Töpfern | ok
        2027-03-08#dd.mm.yyyy | 18:00#hh:mm | Filzen | fällt aus
        2027-03-15#dd.mm.yyyy | 18:00#hh:mm | Drucken | ok`,
    },
    events: `
      2027-03-01 18:00 | Töpfern
      2027-03-08 18:00 | Filzen | | cancelled
      2027-03-15 18:00 | Drucken`,
  },
  {
    id: 'workbook-empty-column-first',
    sheets: {
      Plan: `
         | Datum | Was | Wo
         | 2027-03-06#dd.mm.yyyy | Baumpflanzung | Stadtwald
         | 2027-03-13#dd.mm.yyyy | Vogelstimmen | Auwald`,
    },
    events: `
      2027-03-06 | Baumpflanzung | Stadtwald
      2027-03-13 | Vogelstimmen | Auwald`,
  },
  {
    id: 'workbook-days-in-rows',
    sheets: {
      Festprogramm: `
        Zeit | Programm | Ort
        2027-07-03#dddd, d. mmmm yyyy | |
        15:00#hh:mm | Festumzug | Hauptstraße
        20:00#hh:mm | Tanzabend | Zelt
        2027-07-04#dddd, d. mmmm yyyy | |
        10:00#hh:mm | Festgottesdienst | Zelt`,
    },
    events: `
      2027-07-03 15:00 | Festumzug | Hauptstraße
      2027-07-03 20:00 | Tanzabend | Zelt
      2027-07-04 10:00 | Festgottesdienst | Zelt`,
  },
  {
    id: 'workbook-same-name-often',
    sheets: {
      Probenplan: `
        Datum | Beginn | Ende | Was
        2027-01-12#dd.mm.yyyy | 19:30#hh:mm | 21:30#hh:mm | Probe
        2027-01-19#dd.mm.yyyy | 19:30#hh:mm | 21:30#hh:mm | Probe
        2027-01-26#dd.mm.yyyy | 19:30#hh:mm | 21:30#hh:mm | Probe`,
    },
    events: `
      2027-01-12 19:30-21:30 | Probe
      2027-01-19 19:30-21:30 | Probe
      2027-01-26 19:30-21:30 | Probe`,
  },
];
