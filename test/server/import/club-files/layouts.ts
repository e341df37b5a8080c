import type { ClubFile } from './club-file.ts';

/** Layouts of federations, sports apps, booking programs and offices. */
export const layouts: readonly ClubFile[] = [
  {
    id: 'dfbnet-spielplan',
    text: `
      Saison;Mannschaftsart;Spielklasse;Staffel;Staffelleiter;Spieldatum;Uhrzeit;Wochentag;Spieltag;Heimmannschaft;Gastmannschaft;freigegeben;Spielstätte;Spielleitung;Assistent 1
      26/27;Herren;Kreisliga A;Kreisliga A Nord;Gerd Vogt;14.03.2027;15:00;Sonntag;17;SV Au;FC Berg;ja;Sportplatz Au;Jan Roth;
      26/27;Herren;Kreisliga A;Kreisliga A Nord;Gerd Vogt;21.03.2027;13:00;Sonntag;18;TSV Cham II;SV Au;ja;Waldstadion Cham;;
      26/27;Herren;Kreisliga A;Kreisliga A Nord;Gerd Vogt;04.04.2027;15:00;Sonntag;19;SV Au;DJK Dorf;nein;Sportplatz Au;;`,
    events: `
      2027-03-14 15:00 | SV Au – FC Berg | Sportplatz Au
      2027-03-21 13:00 | TSV Cham II – SV Au | Waldstadion Cham
      2027-04-04 15:00 | SV Au – DJK Dorf | Sportplatz Au`,
  },
  {
    id: 'dfbnet-verlegt',
    text: `
      Staffel;Spieldatum;Uhrzeit;Heimmannschaft;Gastmannschaft;verlegtWochentag;verlegtSpieldatum;verlegtUhrzeit;spielfrei
      Kreisklasse;13.03.2027;15:00;SV Au;FC Berg;;;;
      Kreisklasse;20.03.2027;15:00;SV Au;TSV Cham;Mittwoch;24.03.2027;18:30;`,
    events: `
      2027-03-13 15:00 | SV Au – FC Berg
      2027-03-24 18:30 | SV Au – TSV Cham`,
    told: /^(?!not imported).*(verlegtSpieldatum|24\.03\.|24 March)/,
  },
  {
    id: 'fussball-de-druck',
    text: `
      Vereinsspielplan SV Au;;;
      ;;;
      Samstag, 13.03.2027;;;
      10:30;E-Junioren;SV Au;FC Berg
      13:00;C-Junioren;TSV Cham;SV Au
      Sonntag, 14.03.2027;;;
      15:00;Herren;SV Au;DJK Dorf`,
    events: `
      2027-03-13 10:30 | SV Au – FC Berg
      2027-03-13 13:00 | TSV Cham – SV Au
      2027-03-14 15:00 | SV Au – DJK Dorf`,
  },
  {
    id: 'click-tt-verein',
    text: `
      Termin;Wochentag;Staffel;Runde;HeimVereinName;HeimMannschaft;HeimMannschaftNr;GastVereinName;GastMannschaft;GastMannschaftNr;HalleName;HalleStrasse;HallePLZ;HalleOrt
      12.01.2027 20:00;Di;Herren Bezirksliga;Rückrunde;TTC Au;TTC Au II;2;TTF Berg;TTF Berg;1;Turnhalle Au;Schulweg 3;71111;Au
      23.01.2027 18:00;Sa;Herren Bezirksliga;Rückrunde;SV Cham;SV Cham III;3;TTC Au;TTC Au II;2;Mehrzweckhalle;Am Bach 1;72222;Cham`,
    events: `
      2027-01-12 20:00 | TTC Au II – TTF Berg | Turnhalle Au, Schulweg 3, 71111, Au ~ Turnhalle Au, Schulweg 3, 71111 Au ~ Turnhalle Au ~ Turnhalle Au, Au
      2027-01-23 18:00 | SV Cham III – TTC Au II | Mehrzweckhalle, Am Bach 1, 72222, Cham ~ Mehrzweckhalle, Am Bach 1, 72222 Cham ~ Mehrzweckhalle ~ Mehrzweckhalle, Cham`,
  },
  {
    id: 'nuliga-handball',
    text: `
      Tag;Datum;Zeit;Halle;Nr.;Liga;Heimmannschaft;Gastmannschaft;Tore
      Sa.;16.01.2027;19:30;340112;4711;BZL-M;HSG Au;TV Berg;
      So.;24.01.2027;17:00;340208;4718;BZL-M;SG Cham;HSG Au;`,
    events: `
      2027-01-16 19:30 | HSG Au – TV Berg | 340112
      2027-01-24 17:00 | SG Cham – HSG Au | 340208`,
    told: /not imported:.* Halle/,
  },
  {
    id: 'nuliga-tennis',
    text: `
      Datum;Spielort;Heim Verein;Gastverein;Matchpunkte;Sätze;Spiele
      Sa. 08.05.2027 14:00;;TC Au 1;TC Berg 2;;;
      So. 16.05.2027 10:00;;TA Cham 1;TC Au 1;;;`,
    events: `
      2027-05-08 14:00 | TC Au 1 – TC Berg 2
      2027-05-16 10:00 | TA Cham 1 – TC Au 1`,
  },
  {
    id: 'handball4all',
    text: `
      Klasse;Spielnr;Datum;Anwurf;Halle;Heim;Gast;Tore Heim;Tore Gast;Punkte;SR
      M-KLA;8231001;Sa 13.02.27;18:00;1204;TV Au;HC Berg 2;;;;Roth/Vogt
      M-KLA;8231009;So 21.02.27;16:30;1310;SG Cham;TV Au;;;;`,
    events: `
      2027-02-13 18:00 | TV Au – HC Berg 2 | 1204
      2027-02-21 16:30 | SG Cham – TV Au | 1310`,
    told: /not imported:.* Halle/,
  },
  {
    id: 'sams-volleyball',
    text: `
      Datum;Uhrzeit;Spielrunde;Spieltag;#;Mannschaft 1;Mannschaft 2;Schiedsgericht;Gastgeber;Austragungsort;Ergebnis
      16.01.2027;14:00;Bezirksliga Damen;9;25;VC Au;SV Berg;TSV Cham;VC Au;Schulsporthalle Au;
      16.01.2027;16:00;Bezirksliga Damen;9;26;VC Au;TSV Cham;SV Berg;VC Au;Schulsporthalle Au;
      30.01.2027;15:00;Bezirksliga Damen;10;28;SV Berg;VC Au;DJK Dorf;SV Berg;Halle West;`,
    events: `
      2027-01-16 14:00 | VC Au – SV Berg | Schulsporthalle Au
      2027-01-16 16:00 | VC Au – TSV Cham | Schulsporthalle Au
      2027-01-30 15:00 | SV Berg – VC Au | Halle West`,
  },
  {
    id: 'basketball-teamsl',
    text: `
      Liga;Spielplan_ID;Spieltag;Spielnr;Datum;Heim;Heim_Team_ID;Gast;Gast_Team_ID;Halle;abgesagt
      Oberliga Nord;55012;12;1201;06.02.2027 16:00;BG Au;9911;Berg Baskets;9922;Sporthalle Au;
      Oberliga Nord;55012;13;1304;13.02.2027 18:30;Cham Towers;9933;BG Au;9911;Arena Cham;ja`,
    events: `
      2027-02-06 16:00 | BG Au – Berg Baskets | Sporthalle Au
      2027-02-13 18:30 | Cham Towers – BG Au | Arena Cham | cancelled`,
  },
  {
    id: 'clubcorner-ch',
    sheets: {
      Spielplan: `
        Tag | Datum | Zeit | Heimteam | Gastteam | Wettbewerb | Spielort | Spielnummer | Status
        Sa | 2027-03-20#dd.mm.yyyy | 16:00#hh:mm | FC Au | FC Berg a | 4. Liga | Sportanlage Moos | 201345 |
        So | 2027-04-11#dd.mm.yyyy | 10:15#hh:mm | SC Cham | FC Au | 4. Liga | Eizmoos | 201359 | verschoben
        Sa | 2027-04-17#dd.mm.yyyy | 16:00#hh:mm | FC Au | FC Dorf | 4. Liga | Sportanlage Moos | 201362 | abgesagt`,
    },
    events: `
      2027-03-20 16:00 | FC Au – FC Berg a | Sportanlage Moos
      2027-04-11 10:15 | SC Cham – FC Au | Eizmoos | cancelled
      2027-04-17 16:00 | FC Au – FC Dorf | Sportanlage Moos | cancelled`,
    told: /verschoben/,
  },
  {
    id: 'handball-ch',
    text: `
      Spielnummer;Liga;Datum;Zeit;Heim;Gast;Halle;Ort;Resultat
      240117;M3-07;17.01.2027;14:30;HC Au;KTV Berg;Dreifachhalle;Au;
      240133;M3-07;31.01.2027;17:15;TV Cham;HC Au;Röhrliberg 1;Cham;`,
    events: `
      2027-01-17 14:30 | HC Au – KTV Berg | Dreifachhalle, Au
      2027-01-31 17:15 | TV Cham – HC Au | Röhrliberg 1, Cham`,
  },
  {
    id: 'oefb-runde',
    text: `
      Runde;Datum;Heim;Ergebnis;Gast
      14;Sa, 13.03.2027 15:00;USV Au;-:-;SC Berg
      15;So, 21.03.2027 16:30;SV Cham;-:-;USV Au`,
    events: `
      2027-03-13 15:00 | USV Au – SC Berg
      2027-03-21 16:30 | SV Cham – USV Au`,
  },
  {
    id: 'sportlink-programma',
    text: `
      Datum;Aanvang;Wedstrijd;Klasse;Wedstrijdnr;Accommodatie;Plaats;Vertrek;Veld
      09-01-2027;14:30;vv Au 1 - SC Berg 2;3e klasse;33125;Sportpark Zuid;Au;;1
      16-01-2027;12:00;Cham 3 - vv Au 1;3e klasse;33140;De Kamp;Cham;10:45;3`,
    events: `
      2027-01-09 14:30 | vv Au 1 - SC Berg 2 | Sportpark Zuid, Au ~ Sportpark Zuid, Au, 1 ~ Sportpark Zuid, Au, Veld 1
      2027-01-16 12:00 | Cham 3 - vv Au 1 | De Kamp, Cham ~ De Kamp, Cham, 3 ~ De Kamp, Cham, Veld 3`,
  },
  {
    id: 'knvb-thuis-uit',
    text: `
      Wedstrijddatum,Wedstrijdnummer,Thuisteam,Uitteam,Aanvangstijd,Verzameltijd,Accommodatie,Scheidsrechter,Status
      2027-02-06,51207,vv Au JO15-1,Berg JO15-2,09:45,09:00,Sportpark Zuid,P. de Wit,
      2027-02-13,51219,SV Cham JO15-1,vv Au JO15-1,11:00,09:30,De Kamp,,Afgelast`,
    events: `
      2027-02-06 09:45 | vv Au JO15-1 – Berg JO15-2 | Sportpark Zuid
      2027-02-13 11:00 | SV Cham JO15-1 – vv Au JO15-1 | De Kamp | cancelled`,
  },
  {
    id: 'rbfa-kalender',
    text: `
      Wedstrijdnr;Datum;Uur;Thuisploeg;Bezoekers;Reeks
      1104567;07/02/2027;15u00;KVV Au;FC Berg;4de prov. B
      1104581;14/02/2027;14u30;SK Cham;KVV Au;4de prov. B`,
    events: `
      2027-02-07 15:00 | KVV Au – FC Berg
      2027-02-14 14:30 | SK Cham – KVV Au`,
  },
  {
    id: 'hockey-nl-clubapp',
    text: `
      Team;Datum;Tijd;Tegenstander;Thuis/Uit;Veld;Omkleden
      Dames 2;21-03-2027;12:45;MHC Berg D3;Thuis;Veld 2;Kamer 4
      Dames 2;04-04-2027;11:00;HC Cham D1;Uit;;`,
    events: `
      2027-03-21 12:45 | Dames 2 – MHC Berg D3 (Thuis) ~ Dames 2 – MHC Berg D3 (H) ~ Dames 2 – MHC Berg D3 | Veld 2
      2027-04-04 11:00 | Dames 2 – HC Cham D1 (Uit) ~ Dames 2 – HC Cham D1 (A) ~ HC Cham D1 – Dames 2`,
  },
  {
    id: 'footclubs-fff',
    text: `
      N° match;Date;Heure;Compétition;Poule;Recevant;Visiteur;Terrain
      25710321;14/03/2027;15h00;D2 Seniors;B;AS Aulnoy;FC Bourg;Stade Municipal
      25710338;21/03/2027;13h30;D2 Seniors;B;US Caudry;AS Aulnoy;Stade des Pins`,
    events: `
      2027-03-14 15:00 | AS Aulnoy – FC Bourg | Stade Municipal
      2027-03-21 13:30 | US Caudry – AS Aulnoy | Stade des Pins`,
  },
  {
    id: 'gesthand-ffhb',
    text: `
      semaine;competition;poule;J;le;horaire;club rec;club vis;code renc;nom salle;adresse salle;CP;Ville
      2027-03;Excellence;P1;9;23/01/2027;20:30:00;HBC Aulnoy;CO Bourg;SAAQWE;Gymnase Zola;Rue Haute;59300;Aulnoy
      2027-05;Excellence;P1;10;07/02/2027;16:00:00;Caudry HB;HBC Aulnoy;SAAQWX;Salle Verte;Quai 2;59540;Caudry`,
    events: `
      2027-01-23 20:30 | HBC Aulnoy – CO Bourg | ?
      2027-02-07 16:00 | Caudry HB – HBC Aulnoy | ?`,
  },
  {
    id: 'fft-rencontres',
    text: `
      Date;Heure;Épreuve;Équipe 1;Équipe 2;Lieu;Juge-arbitre
      Dim. 18/04/2027;09h00;Interclubs;TC Aulnoy 1;TC Bourg 3;TC Aulnoy;Mme Petit
      Dim. 25/04/2027;09h00;Interclubs;Caudry TC 2;TC Aulnoy 1;Caudry;M. Grand`,
    events: `
      2027-04-18 09:00 | TC Aulnoy 1 – TC Bourg 3 | TC Aulnoy
      2027-04-25 09:00 | Caudry TC 2 – TC Aulnoy 1 | Caudry`,
  },
  {
    id: 'ffbb-convocation',
    text: `
      N°;Équipe;Jour;Date;Heure du match;Adversaire;Domicile / Extérieur;RDV;Table de marque
      1;U13 F;Samedi;16/01/2027;14:00;Bourg;Domicile;13:15;Léa et Tom
      2;U13 F;Samedi;23/01/2027;15:30;Caudry;Extérieur;14:00;`,
    events: `
      2027-01-16 14:00 | U13 F – Bourg (Domicile) ~ U13 F – Bourg (H) ~ U13 F – Bourg
      2027-01-23 15:30 | U13 F – Caudry (Extérieur) ~ U13 F – Caudry (A) ~ Caudry – U13 F`,
  },
  {
    id: 'fa-full-time',
    text: `
      Type,Date / Time,Home Team,Away Team,Venue,Competition,Status / Notes
      L,14/02/2027 10:30,Ash Rovers U11,Brook Lions U11,Ash Rec,Division 3,
      Cup,21/02/2027 10:00,Cole Park U11,Ash Rovers U11,Cole Park 3G,Junior Cup,Postponed
      L,28/02/2027 10:30,Ash Rovers U11,Dean Town U11,Ash Rec,Division 3,`,
    events: `
      2027-02-14 10:30 | Ash Rovers U11 – Brook Lions U11 | Ash Rec
      2027-02-21 10:00 | Cole Park U11 – Ash Rovers U11 | Cole Park 3G | cancelled
      2027-02-28 10:30 | Ash Rovers U11 – Dean Town U11 | Ash Rec`,
  },
  {
    id: 'play-cricket',
    text: `
      Match Id,Match Date,Match Time,Home Club,Home Team,Away Club,Away Team,Competition,Division,Ground,Umpire 1
      6700121,15/05/2027,13:00,Ash CC,1st XI,Brook CC,2nd XI,Saturday League,Division 4,Ash Green,P Hill
      6700133,22/05/2027,13:30,Cole CC,1st XI,Ash CC,1st XI,Saturday League,Division 4,Cole Meadow,`,
    events: `
      2027-05-15 13:00 | Ash CC 1st XI – Brook CC 2nd XI ~ Ash CC – Brook CC | Ash Green
      2027-05-22 13:30 | Cole CC 1st XI – Ash CC 1st XI ~ Cole CC – Ash CC | Cole Meadow`,
  },
  {
    id: 'gaa-sportlomo',
    text: `
      Fixture ID,Competition,Round,Date,Time,Team 1,Score,Team 2,Score,Venue,Referee
      88120,Junior B League,Round 1,Sun 07 Mar 2027,11:30,Ashford,,Ballyduff,,Ashford GAA,J. Byrne
      88127,Junior B League,Round 2,Sat 20 Mar 2027,15:00,Clonmore,,Ashford,,Clonmore,TBC`,
    events: `
      2027-03-07 11:30 | Ashford – Ballyduff | Ashford GAA
      2027-03-20 15:00 | Clonmore – Ashford | Clonmore`,
  },
  {
    id: 'pitchero',
    text: `
      Date,KO,Meet,Opposition,H/A,Competition,Venue
      Sat 9 Jan 2027,14:15,13:00,Brook RFC 2nd XV,Home,Merit Table,Ash Lane
      Sat 16 Jan 2027,14:15,12:30,Cole RFC,Away,Merit Table,The Drift`,
    events: `
      2027-01-09 14:15 | Brook RFC 2nd XV (Home) ~ Brook RFC 2nd XV (H) | Ash Lane
      2027-01-16 14:15 | Cole RFC (Away) ~ Cole RFC (A) | The Drift`,
  },
  {
    id: 'teamsnap-schedule',
    text: `
      Date,Time,Name,Opponent Name,Opponent Contact Name,Location Name,Location Address,Home or Away,Duration (HH:MM),Arrival Time (Minutes),Notes
      2027-04-10,10:00,League game,Brook Bears,Ann Field,Ash Park,1 Park Rd,Home,1:30,30,Bring white shirts
      2027-04-17,11:30,League game,Cole Cats,Bob Stone,Cole Field,9 Mill St,Away,1:30,30,`,
    events: `
      2027-04-10 10:00-11:30 | League game ~ Brook Bears (H) ~ League game – Brook Bears (H) ~ League game: Brook Bears (H) | Ash Park, 1 Park Rd ~ Ash Park
      2027-04-17 11:30-13:00 | League game ~ Cole Cats (A) ~ League game – Cole Cats (A) ~ League game: Cole Cats (A) | Cole Field, 9 Mill St ~ Cole Field`,
    told: /Opponent Name.*Duration|Duration/,
  },
  {
    id: 'gamechanger',
    text: `
      Event Type,Start Date,Start Time,End Time,Arrival Time,Opponent,Home/Away,Location,Notes
      Game,04/18/2027,10:00 AM,12:00 PM,9:15 AM,Brook Bears,Home,Ash Park Field 2,
      Game,04/24/2027,1:30 PM,3:30 PM,12:45 PM,Cole Cats,Away,Cole Field,Carpool
      Game,05/29/2027,9:00 AM,11:00 AM,8:15 AM,Dean Dogs,Home,Ash Park Field 1,`,
    events: `
      2027-04-18 10:00-12:00 | Brook Bears (Home) ~ Brook Bears (H) | Ash Park Field 2
      2027-04-24 13:30-15:30 | Cole Cats (Away) ~ Cole Cats (A) | Cole Field
      2027-05-29 09:00-11:00 | Dean Dogs (Home) ~ Dean Dogs (H) | Ash Park Field 1`,
  },
  {
    id: 'sportsengine',
    text: `
      Start_Date,Start_Time,End_Date,End_Time,Title,Description,Location,Location_URL,All_Day_Event,Event_Type,Tags,Team1_ID,Team1_Is_Home
      02/20/2027,18:00,02/20/2027,19:15,Skills night,Bring sticks,Ice Hall,,0,Event,,44120,1
      02/27/2027,08:00,02/28/2027,17:00,Winter cup,,Lake Arena,,0,Event,,44120,0`,
    events: `
      2027-02-20 18:00-19:15 | Skills night | Ice Hall
      2027-02-27 08:00 > 2027-02-28 17:00 | Winter cup | Lake Arena`,
  },
  {
    id: 'spond-plan',
    sheets: {
      Events: `
        Heading | Description | Start date | Start time | End date | End time | Place | Meet up before event
        Treningskveld | Ta med sko | 2027-01-12#dd.mm.yyyy | 18:00#hh:mm | 2027-01-12#dd.mm.yyyy | 19:30#hh:mm | Hallen | 15#0
        Cup i Berg | | 2027-01-23#dd.mm.yyyy | 09:00#hh:mm | 2027-01-24#dd.mm.yyyy | 16:00#hh:mm | Berghallen | 45#0`,
    },
    events: `
      2027-01-12 18:00-19:30 | Treningskveld | Hallen
      2027-01-23 09:00 > 2027-01-24 16:00 | Cup i Berg | Berghallen`,
  },
  {
    id: 'spielerplus',
    text: `
      Typ;Termin;Datum;Treffen;Start;Ende;Ort;Zusagen;Absagen
      Training;Training Halle;19.01.2027;17:45;18:00;19:30;Halle Süd;12;3
      Event;Mannschaftsabend;22.01.2027;;19:00;;Vereinsheim;9;1`,
    events: `
      2027-01-19 18:00-19:30 | Training Halle | Halle Süd
      2027-01-22 19:00 | Mannschaftsabend | Vereinsheim`,
  },
  {
    id: 'google-csv',
    text: `
      Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private
      Spring clean,03/20/2027,09:00 AM,03/20/2027,12:00 PM,False,Gloves please,Clubhouse,False
      Work weekend,04/24/2027,,04/25/2027,,True,,Boathouse,False
      Members' supper,05/14/2027,07:30 PM,05/14/2027,10:30 PM,False,,Clubhouse,True`,
    events: `
      2027-03-20 09:00-12:00 | Spring clean | Clubhouse
      2027-04-24 > 2027-04-25 | Work weekend | Boathouse
      2027-05-14 19:30-22:30 | Members' supper | Clubhouse`,
  },
  {
    id: 'outlook-csv-de',
    text: `
      "Betreff","Beginnt am","Beginnt um","Endet am","Endet um","Ganztägiges Ereignis","Erinnerung Ein/Aus","Erinnerung am","Erinnerung um","Besprechungsplanung","Beschreibung","Kategorien","Ort","Priorität","Privat","Zeitspanne zeigen als"
      "Vorstandssitzung","13.1.2027","19:30:00","13.1.2027","21:30:00","Aus","Ein","13.1.2027","19:15:00","Ilse Brandt","Haushalt","","Vereinsheim","Normal","Aus","2"
      "Kegelabend","22.1.2027","18:00:00","22.1.2027","22:00:00","Aus","Aus","","","Ilse Brandt","","","Gasthof Krone","Normal","Aus","2"`,
    events: `
      2027-01-13 19:30-21:30 | Vorstandssitzung | Vereinsheim | "Haushalt"
      2027-01-22 18:00-22:00 | Kegelabend | Gasthof Krone`,
  },
  {
    id: 'outlook-csv-en',
    text: `
      "Subject","Start Date","Start Time","End Date","End Time","All day event","Reminder on/off","Reminder Date","Reminder Time","Meeting Organizer","Required Attendees","Description","Location"
      "Committee","1/25/2027","7:00:00 PM","1/25/2027","9:00:00 PM","False","True","1/25/2027","6:45:00 PM","Joan Reed","All","","Library"
      "Quiz","2/26/2027","7:30:00 PM","2/26/2027","10:00:00 PM","False","False","","","Joan Reed","","Teams of four","Village hall"`,
    events: `
      2027-01-25 19:00-21:00 | Committee | Library
      2027-02-26 19:30-22:00 | Quiz | Village hall | "Teams of four"`,
  },
  {
    id: 'outlook-csv-fr',
    text: `
      Objet;Date de début;Heure de début;Date de fin;Heure de fin;Journée entière;Rappel;Date de rappel;Heure de rappel;Organisateur;Emplacement
      Assemblée générale;05/02/2027;18:30:00;05/02/2027;20:30:00;Faux;Vrai;05/02/2027;18:15:00;Marie Petit;Salle des fêtes
      Nettoyage du local;27/02/2027;09:00:00;27/02/2027;12:00:00;Faux;Faux;;;Marie Petit;Local`,
    events: `
      2027-02-05 18:30-20:30 | Assemblée générale | Salle des fêtes
      2027-02-27 09:00-12:00 | Nettoyage du local | Local`,
  },
  {
    id: 'teamup',
    text: `
      Title,Who,Where,Start Date,Start Time,End Date,End Time,All Day,Calendars,Notes
      Pottery,Ann,Studio 1,2027-03-02,18:00,2027-03-02,20:00,no,Courses,
      Open house,,Whole building,2027-03-06,,2027-03-06,,yes,Public,Cake`,
    events: `
      2027-03-02 18:00-20:00 | Pottery | Studio 1
      2027-03-06 | Open house | Whole building | "Cake"`,
  },
  {
    id: 'doodle-result',
    text: `
      Umfrage "Sommerfest";;;
      ;Juni 2027;;
      ;Sa 5;Sa 12;Sa 19
      Uta;OK;;OK
      Ali;OK;OK;
      Anzahl;2;1;1`,
    events: '',
  },
  {
    id: 'churchtools',
    text: `
      Kalender;Startdatum;Enddatum;Bezeichnung;Bemerkung;Ort;Link
      Gottesdienste;07.03.2027 10:00;07.03.2027 11:15;Abendmahlsgottesdienst;mit Chor;Christuskirche;
      Gruppen;09.03.2027 19:30;09.03.2027 21:00;Hauskreisleitertreffen;;Gemeindehaus;https://example.org/a`,
    events: `
      2027-03-07 10:00-11:15 | Abendmahlsgottesdienst | Christuskirche | "mit Chor"
      2027-03-09 19:30-21:00 | Hauskreisleitertreffen | Gemeindehaus`,
  },
  {
    id: 'planning-center',
    text: `
      Event Name,Starts At,Ends At,Location,Owner,Approval Status
      Youth night,2027-03-05 18:30:00 +0100,2027-03-05 20:00:00 +0100,Hall,Tim Cook,Approved
      Easter brunch,2027-03-28 10:00:00 +0200,2027-03-28 12:00:00 +0200,Garden,Eve Long,Pending`,
    events: `
      2027-03-05 18:30-20:00 | Youth night | Hall
      2027-03-28 10:00-12:00 | Easter brunch | Garden`,
    told: /"Ends At"/,
  },
  {
    id: 'messplan',
    text: `
      Datum;Uhrzeit;Kirche;Gottesdienst;Zelebrant;Intention
      So 17.01.2027;09:00;St. Martin;Pfarrgottesdienst;Pfr. Huber;
      Mi 20.01.2027;18:30;St. Anna;Abendmesse;P. Anselm;für Maria Lang`,
    events: `
      2027-01-17 09:00 | Pfarrgottesdienst | St. Martin ~
      2027-01-20 18:30 | Abendmesse | St. Anna ~`,
  },
  {
    id: 'chess-results',
    text: `
      1. Runde am 10.01.2027 um 10:00;;
      SK Au 2;-;SF Berg
      SC Cham;-;SV Dorf
      2. Runde am 31.01.2027 um 10:00;;
      SF Berg;-;SC Cham
      SV Dorf;-;SK Au 2`,
    events: `
      2027-01-10 10:00 | SK Au 2 – SF Berg
      2027-01-10 10:00 | SC Cham – SV Dorf
      2027-01-31 10:00 | SF Berg – SC Cham
      2027-01-31 10:00 | SV Dorf – SK Au 2`,
  },
  {
    id: 'chess-4ncl',
    text: `
      Date,Start,Board,Round,Home,Away,Venue
      Sat 16 January 2027,13:00,8,5,Ash Knights,Brook Bishops,Grand Hotel
      Sun 17 January 2027,11:00,8,6,Cole Castle,Ash Knights,Grand Hotel`,
    events: `
      2027-01-16 13:00 | Ash Knights – Brook Bishops | Grand Hotel
      2027-01-17 11:00 | Cole Castle – Ash Knights | Grand Hotel`,
  },
  {
    id: 'manage2sail',
    text: `
      Start;Ende;Regatta;Klasse;Revier;Meldeschluss;Ausrichter
      01.05.2027;02.05.2027;Maipokal;Opti;Ammersee;24.04.2027;SC Au
      12.06.2027;13.06.2027;Blaues Band;Yardstick;Ammersee;05.06.2027;SC Au`,
    events: `
      2027-05-01 > 2027-05-02 | Maipokal | Ammersee ~
      2027-06-12 > 2027-06-13 | Blaues Band | Ammersee ~`,
  },
  {
    id: 'rowing-regatta-uk',
    text: `
      Date,Regatta,Class,Entries close,Water
      17/04/2027,Ash Head,All,03/04/2027,River Ash
      29/05/2027,Brook Sprint,Masters,15/05/2027,Brook Lake`,
    events: `
      2027-04-17 | Ash Head | River Ash ~
      2027-05-29 | Brook Sprint | Brook Lake ~`,
  },
  {
    id: 'theater-spielplan',
    text: `
      Datum;Einlass;Beginn;Stück;Spielort;Regie;Restkarten
      Fr 16.04.2027;19:00;19:30;Der zerbrochne Krug;Stadthalle;Rita Wolf;34
      Sa 17.04.2027;19:00;19:30;Der zerbrochne Krug;Stadthalle;Rita Wolf;12
      So 18.04.2027;14:30;15:00;Räuber Hotzenplotz;Scheune;Kai Lund;80`,
    events: `
      2027-04-16 19:30 | Der zerbrochne Krug | Stadthalle
      2027-04-17 19:30 | Der zerbrochne Krug | Stadthalle
      2027-04-18 15:00 | Räuber Hotzenplotz | Scheune`,
  },
  {
    id: 'theatre-planning-fr',
    text: `
      Date;Ouverture des portes;Début;Spectacle;Salle;Mise en scène
      vendredi 16 avril 2027;20h00;20h30;Le Malade imaginaire;Théâtre municipal;Paul Roux
      dimanche 18 avril 2027;16h30;17h00;Contes d'hiver;Petite salle;Zoé Blanc`,
    events: `
      2027-04-16 20:30 | Le Malade imaginaire | Théâtre municipal
      2027-04-18 17:00 | Contes d'hiver | Petite salle`,
  },
  {
    id: 'chorplan',
    text: `
      Datum;Einsingen;Beginn;Anlass;Ort;Kleidung;Leitung
      12.12.2026;16:15;17:00;Adventskonzert;Lutherkirche;schwarz;Eva Klang
      24.12.2026;21:30;22:00;Christmette;Lutherkirche;festlich;Eva Klang
      09.01.2027;;14:00;Probentag;Gemeindesaal;;Jo Ton`,
    events: `
      2026-12-12 17:00 | Adventskonzert | Lutherkirche
      2026-12-24 22:00 | Christmette | Lutherkirche
      2027-01-09 14:00 | Probentag | Gemeindesaal`,
  },
  {
    id: 'konzertmeister',
    text: `
      Name;Typ;Beginn;Ende;Treffpunkt;Ort;Status
      Registerprobe Holz;Probe;15.01.2027 19:00;15.01.2027 20:30;;Musikheim;
      Neujahrsständchen;Auftritt;03.01.2027 10:00;03.01.2027 12:00;09:30 Rathaus;Marktplatz;
      Gesamtprobe;Probe;22.01.2027 19:30;22.01.2027 21:30;;Musikheim;Abgesagt`,
    events: `
      2027-01-15 19:00-20:30 | Registerprobe Holz | Musikheim
      2027-01-03 10:00-12:00 | Neujahrsständchen | Marktplatz
      2027-01-22 19:30-21:30 | Gesamtprobe | Musikheim | cancelled`,
  },
  {
    id: 'belegungsplan-woche',
    text: `
      Belegung Turnhalle;;;;
      Zeit;Montag;Dienstag;Mittwoch;Donnerstag
      17-18;Turnen;;Judo;
      18-20;Handball;Volleyball;;Tanzen`,
    events: '',
  },
  {
    id: 'feuerwehr-dienstplan',
    text: `
      Datum;Beginn;Ende;Thema;Ausbilder;Gruppe;Ort
      11.01.2027;19:30;21:30;Unfallverhütung;HBM Kurz;alle;Gerätehaus
      25.01.2027;19:30;22:00;Funkübung;LM Lang;Zug 1;Gerätehaus
      08.02.2027;19:30;21:30;Knoten und Stiche;LM Lang;Zug 2;Gerätehaus`,
    events: `
      2027-01-11 19:30-21:30 | Unfallverhütung | Gerätehaus
      2027-01-25 19:30-22:00 | Funkübung | Gerätehaus
      2027-02-08 19:30-21:30 | Knoten und Stiche | Gerätehaus`,
  },
  {
    id: 'hiorg-server',
    text: `
      Bezeichnung;Kategorie;Beginn;Ende;Ort;Verantwortlich;Helferbedarf
      Sanitätsdienst Faschingszug;Dienst;07.02.2027 12:00;07.02.2027 18:00;Marktplatz;Uta Kern;8
      Bereitschaftsabend;Ausbildung;11.02.2027 19:30;11.02.2027 21:30;DRK-Heim;Max Feld;0`,
    events: `
      2027-02-07 12:00-18:00 | Sanitätsdienst Faschingszug | Marktplatz
      2027-02-11 19:30-21:30 | Bereitschaftsabend | DRK-Heim`,
  },
  {
    id: 'kleingarten',
    text: `
      Gemeinschaftsarbeit 2027;;
      Datum;Zeit;Parzellen
      Sa 10.04.2027;9-12 Uhr;1 bis 20
      Sa 08.05.2027;9-12 Uhr;21 bis 40`,
    events: `
      2027-04-10 09:00-12:00 | 1 bis 20 ~ Parzellen 1 bis 20 ~ Gemeinschaftsarbeit
      2027-05-08 09:00-12:00 | 21 bis 40 ~ Parzellen 21 bis 40 ~ Gemeinschaftsarbeit`,
  },
  {
    id: 'pfadfinder-jahr',
    text: `
      Jahresplan Stamm Wildgänse 2027;;;
      Wann;Was;Wo;Wer
      16.01.2027;Winterwanderung;Hohe Acht;alle Stufen
      02.-04.04.2027;Osterlager;Zeltplatz Au;Wölflinge
      17.07.-31.07.2027;Sommerlager;Schweden;Pfadis`,
    events: `
      2027-01-16 | Winterwanderung | Hohe Acht
      2027-04-02 > 2027-04-04 | Osterlager | Zeltplatz Au
      2027-07-17 > 2027-07-31 | Sommerlager | Schweden`,
    told: /several days/,
  },
  {
    id: 'osm-scouts-uk',
    text: `
      Date,Start Time,End Time,Title,Leaders,Notes for Parents
      08/01/2027,18:30,20:00,Knots and tea,"Akela, Baloo",
      15/01/2027,18:30,20:00,Night hike,Akela,Warm coat and torch`,
    events: `
      2027-01-08 18:30-20:00 | Knots and tea
      2027-01-15 18:30-20:00 | Night hike`,
  },
  {
    id: 'tanzschule-kurse',
    text: `
      Kurs;Beginn;Anzahl Abende;Wochentag;Uhrzeit;Saal
      Discofox 1;13.01.2027;8;Mittwoch;20:00-21:15;Saal 1
      Salsa;14.01.2027;6;Donnerstag;19:00-20:15;Saal 2`,
    events: '',
    told: /\b(every|weekly)\b/i,
  },
  {
    id: 'tidenplan-watt',
    text: `
      Datum;Hochwasser;Niedrigwasser;Tour;Start;Treffpunkt
      05.06.2027;07:12;13:31;Neuwerk zu Fuß;11:30;Strandhaus
      19.06.2027;06:20;12:44;Vogelkoje;10:45;Hafen`,
    events: `
      2027-06-05 11:30 | Neuwerk zu Fuß | Strandhaus ~
      2027-06-19 10:45 | Vogelkoje | Hafen ~`,
  },
  {
    id: 'ladv-leichtathletik',
    text: `
      Datum;Veranstaltung;Ort;Kategorie;Veranstalter;Meldeschluss
      30.-31.01.2027;Kreis-Hallenmeisterschaften;Au;U14, U16;LG Au;20.01.2027
      25.04.2027;Bahneröffnung;Berg;alle;TV Berg;18.04.2027`,
    events: `
      2027-01-30 > 2027-01-31 | Kreis-Hallenmeisterschaften | Au
      2027-04-25 | Bahneröffnung | Berg`,
    told: /several days/,
  },
  {
    id: 'dsv-schwimmen',
    text: `
      von;bis;Wettkampf;Ort;Bahn;Meldeschluss;Ausrichter
      27.02.2027;28.02.2027;Bezirks-Jahrgangsmeisterschaften;Cham;25 m;12.02.2027;SSV Cham
      13.03.2027;13.03.2027;Frühjahrspokal;Berg;50 m;26.02.2027;SC Berg`,
    events: `
      2027-02-27 > 2027-02-28 | Bezirks-Jahrgangsmeisterschaften | Cham
      2027-03-13 | Frühjahrspokal | Berg`,
  },
  {
    id: 'pc-caddie-golf',
    text: `
      Datum;Turnier;Spielform;Startzeit;Meldeschluss;Sponsor;Gäste
      Sa 17.04.27;Angolfen;Texas Scramble;11:00;Do 15.04.27 18:00;Auto Müller;ja
      So 09.05.27;Monatsbecher;Stableford;09:30;Fr 07.05.27 12:00;;nein`,
    events: `
      2027-04-17 11:00 | Angolfen
      2027-05-09 09:30 | Monatsbecher`,
  },
  {
    id: 'eventbrite',
    text: `
      Event ID,Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,Venue Name,Event Status,Tickets Sold
      991200,Wine tasting,2027-03-19,19:00,2027-03-19,22:00,Old Barn,Live,31
      991207,Spring ball,2027-04-30,20:00,2027-05-01,01:00,Town Hall,Canceled,0`,
    events: `
      2027-03-19 19:00-22:00 | Wine tasting | Old Barn
      2027-04-30 20:00 > 2027-05-01 01:00 | Spring ball | Town Hall | cancelled`,
  },
  {
    id: 'the-events-calendar',
    text: `
      Event Name,Event Description,Event Organizers,Event Venue Name,Event Start Date,Event Start Time,Event End Date,Event End Time,All Day Event,Event Category
      Seed swap,Bring envelopes,Gill Moss,Greenhouse,2027-02-14,10:00:00,2027-02-14,12:30:00,FALSE,Garden
      Plot inspection,,Ted Oak,Site,2027-03-13,00:00:00,2027-03-13,23:59:59,TRUE,Garden`,
    events: `
      2027-02-14 10:00-12:30 | Seed swap | Greenhouse | "Bring envelopes"
      2027-03-13 | Plot inspection | Site`,
    told: /23:59/,
  },
  {
    id: 'supersaas-bookings',
    text: `
      Start;Ende;Name;E-Mail;Telefon;Platz
      09.01.2027 10:00;09.01.2027 11:00;Uta Sand;uta@example.org;0171 1;Platz 1
      09.01.2027 11:00;09.01.2027 12:00;Ali Stern;ali@example.org;0171 2;Platz 2`,
    events: '',
    told: /[Nn]ame from "Name"/,
  },
  {
    id: 'raumbuchung',
    text: `
      Raum;Datum;Von;Bis;Mieter;Anlass
      Saal;06.02.2027;14:00;23:00;Familie Roth;Geburtstagsfeier
      Küche;07.02.2027;10:00;13:00;Frauenkreis;Kochkurs`,
    events: `
      2027-02-06 14:00-23:00 | Geburtstagsfeier | Saal
      2027-02-07 10:00-13:00 | Kochkurs | Küche`,
  },
  {
    id: 'vereinsflieger',
    text: `
      Datum;Bezeichnung;Flugleiter;Windenfahrer;Ort
      27.03.2027;Flugbetrieb;Max Wind;Udo Seil;Flugplatz Au
      28.03.2027;Anfliegen mit Kaffee;Eva Luft;Jan Zug;Flugplatz Au`,
    events: `
      2027-03-27 | Flugbetrieb | Flugplatz Au
      2027-03-28 | Anfliegen mit Kaffee | Flugplatz Au`,
  },
  {
    id: 'clubdesk',
    text: `
      Bezeichnung;Datum von;Zeit von;Datum bis;Zeit bis;Ort;Kategorie;Sichtbarkeit
      Generalversammlung;26.03.2027;19:30;26.03.2027;22:00;Aula;Verein;Alle
      Skiweekend;06.02.2027;07:00;07.02.2027;18:00;Flumserberg;Anlass;Mitglieder`,
    events: `
      2027-03-26 19:30-22:00 | Generalversammlung | Aula
      2027-02-06 07:00 > 2027-02-07 18:00 | Skiweekend | Flumserberg`,
  },
  {
    id: 'notion-table',
    text: `
      Name,Date,Status,Where
      Board games,"March 5, 2027 7:00 PM",Confirmed,Café
      Film night,"March 12, 2027 8:00 PM",Confirmed,Cinema
      Bike repair,"March 20, 2027",Idea,Yard`,
    events: `
      2027-03-05 19:00 | Board games | Café
      2027-03-12 20:00 | Film night | Cinema
      2027-03-20 | Bike repair | Yard`,
  },
  {
    id: 'airtable-grid',
    text: `
      Activity,Start,End,Where,Lead
      Canoe trip,5/22/2027 9:00am,5/22/2027 4:00pm,River,Zoe
      Knot course,5/27/2027 6:30pm,5/27/2027 8:00pm,Shed,Yan`,
    events: `
      2027-05-22 09:00-16:00 | Canoe trip | River
      2027-05-27 18:30-20:00 | Knot course | Shed`,
  },
  {
    id: 'google-form-answers',
    text: `
      Zeitstempel;Name der Veranstaltung;Datum der Veranstaltung;Uhrzeit;Ansprechpartner;Ort
      02.11.2026 08:14:33;Flohmarkt;24.04.2027;10:00;Rosa Lind;Schulhof
      03.11.2026 19:40:02;Lichterfest;27.11.2027;17:30;Ole Brand;Altstadt`,
    events: `
      2027-04-24 10:00 | Flohmarkt | Schulhof
      2027-11-27 17:30 | Lichterfest | Altstadt`,
  },
  {
    id: 'assoconnect',
    text: `
      Nom de l'événement;Date de début;Date de fin;Lieu;Responsable;Inscrits
      Loto annuel;07/02/2027 14:00;07/02/2027 18:00;Foyer rural;Anne Roy;42
      Randonnée des crêtes;17/04/2027 08:30;17/04/2027 17:00;Col du Pin;Luc Bois;15`,
    events: `
      2027-02-07 14:00-18:00 | Loto annuel | Foyer rural
      2027-04-17 08:30-17:00 | Randonnée des crêtes | Col du Pin`,
  },
  {
    id: 'church-rota-en',
    text: `
      Date,Time,Service,Preacher,Organist,Readers
      Sunday 3 January 2027,10:30,Holy Communion,Rev Ann Dale,P Pipe,"Ivy, Tom"
      Sunday 10 January 2027,18:00,Evensong,Canon Fox,P Pipe,Ray`,
    events: `
      2027-01-03 10:30 | Holy Communion
      2027-01-10 18:00 | Evensong`,
  },
  {
    id: 'dbu-danmark',
    text: `
      Række;Kampnr.;Dato;Kl.;Hjemmehold;Udehold;Spillested
      Serie 3;512001;10-04-2027;14:00;Aa IF;Berg BK;Aa Stadion
      Serie 3;512014;17-04-2027;13:30;Cham GF;Aa IF;Cham Kunstgræs`,
    events: `
      2027-04-10 14:00 | Aa IF – Berg BK | Aa Stadion
      2027-04-17 13:30 | Cham GF – Aa IF | Cham Kunstgræs`,
  },
  {
    id: 'svff-sverige',
    text: `
      Matchnr;Datum;Tid;Hemmalag;Bortalag;Anläggning
      04120301;2027-04-24;15:00;Ås IF;Bergs BK;Åvallen
      04120317;2027-05-01;13:00;Cams SK;Ås IF;Camvallen`,
    events: `
      2027-04-24 15:00 | Ås IF – Bergs BK | Åvallen ~
      2027-05-01 13:00 | Cams SK – Ås IF | Camvallen ~`,
  },
  {
    id: 'figc-italia',
    text: `
      Data;Ora;Squadra casa;Squadra ospite;Campo
      sab 13/02/2027;15:00;ASD Aosta;US Bormio;Comunale
      dom 21/02/2027;14:30;Cuneo C;ASD Aosta;Parco Nord`,
    events: `
      2027-02-13 15:00 | ASD Aosta – US Bormio | Comunale ~
      2027-02-21 14:30 | Cuneo C – ASD Aosta | Parco Nord ~`,
  },
  {
    id: 'polska-terminarz',
    text: `
      Data;Godzina;Gospodarz;Gość;Miejsce
      20.03.2027;11:00;LKS Aga;KS Bory;Boisko Aga
      27.03.2027;14:00;Czarni;LKS Aga;Stadion`,
    events: `
      2027-03-20 11:00 | LKS Aga – KS Bory | Boisko Aga ~
      2027-03-27 14:00 | Czarni – LKS Aga | Stadion ~`,
  },
  {
    id: 'meetup-ics',
    as: 'ics',
    text: `
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Meetup//EN
      BEGIN:VEVENT
      UID:event_3011@meetup.example
      DTSTART;TZID=Europe/Berlin:20270312T190000
      DTEND;TZID=Europe/Berlin:20270312T213000
      SUMMARY:Board game evening
      LOCATION:Café Blau\\, Marktstr. 4
      STATUS:CONFIRMED
      END:VEVENT
      BEGIN:VEVENT
      UID:event_3012@meetup.example
      DTSTART;TZID=Europe/Berlin:20270319T190000
      DTEND;TZID=Europe/Berlin:20270319T213000
      SUMMARY:Chess and cheese
      STATUS:CANCELLED
      END:VEVENT
      END:VCALENDAR`,
    events: `
      2027-03-12 19:00-21:30 | Board game evening | Café Blau, Marktstr. 4
      2027-03-19 19:00-21:30 | Chess and cheese | | cancelled`,
  },
  {
    id: 'abfuhr-ics-alarm',
    as: 'ics',
    text: `
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Verein//DE
      BEGIN:VEVENT
      UID:sommerfest-27
      DTSTART;VALUE=DATE:20270703
      DTEND;VALUE=DATE:20270705
      SUMMARY:Sommerfest
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT30M
      DESCRIPTION:Aufbau
      END:VALARM
      END:VEVENT
      END:VCALENDAR`,
    events: '2027-07-03 > 2027-07-04 | Sommerfest',
  },
];
