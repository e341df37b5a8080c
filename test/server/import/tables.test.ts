import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../server/import/source.ts';
import { read, readRefusal } from './csv-reading.ts';

type Options = Partial<SourceOptions>;

/** Reads a table given as lines; returns each event as `date time name, location`. */
async function readEvents(lines: readonly string[], options: Options = {}) {
  const { events, notes, ignored } = await read(lines.join('\n'), options);
  const texts = events.map(
    ({ date, name, location }) => `${date.slice(0, 16)} ${name}${location ? `, ${location}` : ''}`,
  );
  return { texts, events, notes, ignored };
}

describe('the header of a table', () => {
  it('the header of a table may follow titles, and remarks may follow the events', async () => {
    const { texts, notes } = await readEvents([
      'TSV Musterstadt e. V.;;',
      'Veranstaltungen 2026;;',
      ';;',
      'Datum;Veranstaltung;Ort',
      'Januar;;',
      '10.01.2026;Neujahrsempfang;Vereinsheim',
      'Februar;;',
      'Datum;Veranstaltung;Ort',
      '14.02.2026;Ball;Halle',
      'Summe;2;',
      ';;',
      'Änderungen vorbehalten!;;',
    ]);
    expect(texts).toEqual([
      '2026-01-10T00:00 Neujahrsempfang, Vereinsheim',
      '2026-02-14T00:00 Ball, Halle',
    ]);
    expect(notes).toEqual([
      'Rows 1–2 above the headings were left out: "TSV Musterstadt e. V.", "Veranstaltungen 2026".',
      'Rows 5, 7–8, 10, 12 have no event and were left out: "Januar", "Februar", "Datum", ….',
    ]);
  });

  it('the header of a table may be missing if the columns are named by their letters', async () => {
    const lines = ['1.5.2026;Wanderung;Kirche', '8.5.2026;Grillfest;Garten'];
    expect(await readRefusal(lines.join('\n'))).toMatch(
      /there is no column "name"; .* of "A", "B", "C"/,
    );
    const { texts } = await readEvents(lines, { map: { name: 'B', location: 'c' } });
    expect(texts).toEqual([
      '2026-05-01T00:00 Wanderung, Kirche',
      '2026-05-08T00:00 Grillfest, Garten',
    ]);
  });

  it('the header of a table may have two rows', async () => {
    const { texts, ignored } = await readEvents([
      'Turnverein 2026;;;;',
      'Datum;;Zeit;;Anlass',
      'von;bis;von;bis;Anlass',
      '13.3.2026;14.3.2026;19:30;23:30;Turnerabend',
      '9.5.2026;;8:00;;Jugitag',
    ]);
    expect(texts).toEqual(['2026-03-13T19:30 Turnerabend', '2026-05-09T08:00 Jugitag']);
    expect(ignored).toEqual([]);
    const mapped = await readEvents(
      ['Datum;Zeit;;Anlass', ';von;bis;', '1.5.2026;8:00;10:00;Lauf', '2.5.2026;9:00;11:00;Fest'],
      { map: { time: 'Zeit bis' } },
    );
    expect(mapped.texts).toEqual(['2026-05-01T10:00 Lauf', '2026-05-02T11:00 Fest']);
    const merged = await readEvents([
      'Date;High water;;First start;Event',
      'Date;Time;Height;First start;Event',
      '12/04/2026;12:41;4.3;11:30;Spring Series',
      '26/04/2026;11:18;3.9;10:15;Regatta',
    ]);
    expect(merged.texts).toEqual(['2026-04-12T11:30 Spring Series', '2026-04-26T10:15 Regatta']);
  });

  it('the header of a table may name more columns than the rows have', async () => {
    const { texts } = await readEvents([
      'Datum;Was;Satz 1;Satz 2',
      ...['1.5.2026;A', '2.5.2026;B', '3.5.2026;C'],
    ]);
    expect(texts).toHaveLength(3);
    const cut = 'Datum;Was;Ort;Satz 1\n1.5.2026;A;Ulm\n2.5.2026;B;Ulm\n3.5.2026;C';
    expect(await readRefusal(cut)).toMatch(/row 2: the row has more or fewer cells/);
  });

  it('the header of a table does not turn an event without a date into a remark', async () => {
    expect(await readRefusal('Titel;Datum\nLauf;1.5.2026\nFest;')).toMatch(/row 3, "Datum"/);
    expect(await readRefusal('Titel;Datum;Ort\nLauf;1.5.2026;Wald\nFest;;Wald')).toMatch(/row 3/);
    expect(await readRefusal('Titel;Datum;Ort\nLauf;1.5.2026;Wald\n2001')).toMatch(/row 3/);
    expect(await readRefusal('Titel;Datum\nLauf;1.5.2026\nFest 2026;bald')).toMatch(/"bald"/);
  });
});

describe('the columns of a table', () => {
  it('the columns of a table share a name with the time of day, beside a date', async () => {
    const { texts, ignored } = await readEvents([
      'Datum;Beginn;Ende;Veranstaltung',
      '1.5.2026;18:00;22:00;Maifeier',
    ]);
    expect(texts).toEqual(['2026-05-01T18:00 Maifeier']);
    expect(ignored).toEqual([]);
    const { texts: moments } = await readEvents(['Beginn;Titel', '1.5.2026 18:00;Maifeier']);
    expect(moments).toEqual(['2026-05-01T18:00 Maifeier']);
  });

  it('the columns of a table are never a time that is lost', async () => {
    const refusal = await readRefusal('Datum;Beginn;Titel\n1.5.2026;18;Fest\n2.5.2026;9;Lauf');
    expect(refusal).toMatch(/row 2, "Beginn": "18" was not understood as a time/);
    const { texts, notes } = await readEvents(['Titel;Datum;De;À', 'Bal;2/5/2026;20h;23h'], {
      dateOrder: 'dmy',
    });
    expect(texts).toEqual(['2026-05-02T20:00 Bal']);
    expect(notes).toEqual(['The column "De" was taken as time because of its values.']);
  });

  it('the columns of a table of home and guest are the name, also of two teams of one club', async () => {
    const { texts } = await readEvents([
      'Datum;Heim;Gast;Halle;Straße;PLZ;Ort',
      '3.10.2026;TSV Au;TSV Au II;Berghalle;Am Berg 1;12345;Au',
      '10.10.2026;SV Tal;TSV Au;Talhalle;;;Tal',
    ]);
    expect(texts).toEqual([
      '2026-10-03T00:00 TSV Au – TSV Au II, Berghalle, Am Berg 1, 12345 Au',
      '2026-10-10T00:00 SV Tal – TSV Au, Talhalle, Tal',
    ]);
  });

  it('the columns of a table leave out the club of a team that has its name, and fixtures that are not arranged', async () => {
    const { texts, notes } = await readEvents([
      'Termin;HeimVereinName;HeimMannschaftName;GastVereinName;GastMannschaftName',
      '19.9.2026 17:30;HSG Tal;HSG Tal II;TV Au;TV Au',
      '20.9.2026 11:15;HSG Tal;JSG Bach;TV Au;TV Au II',
      ';HSG Tal;HSG Tal;TV Au;TV Au',
      '26.9.2026 17:30;HSG Tal;HSG Tal;spielfrei;spielfrei',
    ]);
    expect(texts).toEqual([
      '2026-09-19T17:30 HSG Tal II – TV Au',
      '2026-09-20T11:15 JSG Bach – TV Au II',
    ]);
    expect(notes).toEqual([
      'Row 5 has no event and was left out: "HSG Tal – spielfrei".',
      'Row 4 has no date and was left out: "HSG Tal – TV Au".',
    ]);
  });

  it('the columns of a table name a match by its opponent where it has no name', async () => {
    const { texts, ignored } = await readEvents([
      'Date,Name,Opponent Name,Location',
      '2026-04-06,Practice,,School',
      '2026-04-11,,Hudson Ridge,Park',
    ]);
    expect(texts).toEqual([
      '2026-04-06T00:00 Practice, School',
      '2026-04-11T00:00 Hudson Ridge, Park',
    ]);
    expect(ignored).toEqual([]);
  });

  it('the columns of a table of arrivals, ends and deadlines are not the time, unless there is no other', async () => {
    const { texts } = await readEvents([
      'Date;RDV covoiturage;Départ rando;Randonnée',
      '6/9/2026;8h15;9h00;La Roche',
      '20/9/2026;8h45;9h30;Les Moulins',
    ]);
    expect(texts).toEqual(['2026-09-06T09:00 La Roche', '2026-09-20T09:30 Les Moulins']);
    const { texts: arrivals, notes } = await readEvents([
      'Datum;Treffzeit;Meldeschluss;Was',
      '1.5.2026;9:00;20.4.2026;Lauf',
    ]);
    expect(arrivals).toEqual(['2026-05-01T09:00 Lauf']);
    expect(notes).toEqual(['The column "Treffzeit" was taken as time because of its values.']);
    const { texts: runs } = await readEvents(['Datum;Start/Ziel;Was', '1.5.2026;Markt;Lauf']);
    expect(runs).toEqual(['2026-05-01T00:00 Lauf']);
  });

  it('the columns of a table of a place are the parts of an address, in its order', async () => {
    const lines = [
      'Titel;Beginn;Ort;Straße;PLZ;Stadt',
      'Fest;1.5.2026 10:00;Kirche;Gasse 4;01067;Au',
    ];
    expect((await readEvents(lines)).texts).toEqual([
      '2026-05-01T10:00 Fest, Kirche, Gasse 4, 01067 Au',
    ]);
    const details = [
      'Name,Date,Location,Location Details',
      'Game,2026-05-01,Ballpark,"Auweg 7, Au"',
    ];
    expect((await readEvents(details)).texts).toEqual([
      '2026-05-01T00:00 Game, Ballpark, Auweg 7, Au',
    ]);
  });

  it('the columns of a table have a note or a name that says that the event is cancelled', async () => {
    const lines = [
      'Datum;Was;Bemerkung',
      '1.5.2026;Lauf;ENTFÄLLT wegen Sturm!',
      '2.5.2026;Abgesagt: Fest;',
      '3.5.2026;Kino;Abgesagte Karten werden erstattet',
    ];
    const { events, notes } = await readEvents(lines);
    expect(events.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', undefined]);
    expect(notes).toEqual([
      '2 rows are cancelled, as they say so: row 2: "ENTFÄLLT wegen Sturm!", row 3: "Abgesagt: Fest".',
    ]);
    const switchedOff = await readEvents(lines, { map: { status: null } });
    expect(switchedOff.events.map(({ status }) => status)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('the columns of a table may be several for one field, and none', async () => {
    const lines = [
      'Was;Wann;Venue;Town;Helper;Fee;Status',
      'Fair;2026-05-01;Hall, Leeds;Leeds;Jo;5;Abgesagt',
    ];
    const map = { location: 'Venue+Town', description: ['Helper', 'Fee'], status: null };
    const { texts, events } = await readEvents(lines, { map });
    expect(texts).toEqual(['2026-05-01T00:00 Fair, Hall, Leeds']);
    expect(events[0]?.description).toBe('Helper: Jo\nFee: 5');
    expect(events[0]).not.toHaveProperty('status');
  });

  it('the columns of a table are left out with a note if their values do not fit', async () => {
    const { events, notes } = await readEvents([
      'Date,Fixture,Status,Type,ID',
      '2026-05-01,A v B,to be played,Event,M-1',
      '2026-05-08,C v A,FT,Event,M-2',
    ]);
    expect(events.map(({ status }) => status)).toEqual([undefined, 'completed']);
    expect(notes).toEqual([
      'The column "ID" was left out: "M-1" is not a value for id.',
      'The column "Type" was left out: "Event" is not a value for eventType.',
      '"Status" (status): "to be played" in row 2 was left out, as it is not a value of this field.',
    ]);
    const map = { status: 'Status' };
    expect(await readRefusal('Date,Fixture,Status\n2026-05-01,A,to be played', { map })).toMatch(
      /row 2, "Status" \(status\): "to be played" is not one of/,
    );
  });
});

describe('the dates of a table', () => {
  it('the dates of a table get their year from a title, a weekday or the user', async () => {
    const rows = ['Datum;Was', '05.09.;Start', '13.02.;Ende'];
    expect((await readEvents(['Saison 2026/27;', ...rows])).texts).toEqual([
      '2026-09-05T00:00 Start',
      '2027-02-13T00:00 Ende',
    ]);
    expect(await readRefusal(rows.join('\n'))).toMatch(
      /row 2, "Datum" \(date\): "05\.09\." has no year, .* --from, such as --from 2026-09-05/,
    );
    const window = { from: new Date('2027-08-01T00:00:00Z') };
    expect((await readEvents(rows, { window })).texts).toEqual([
      '2027-09-05T00:00 Start',
      '2028-02-13T00:00 Ende',
    ]);
    const mixed = await readEvents(['Datum;Was', '1. Mai;Lauf', '15.8.2026;Fest', '31.12.;Feuer']);
    expect(mixed.texts.map((text) => text.slice(0, 10))).toEqual([
      '2026-05-01',
      '2026-08-15',
      '2026-12-31',
    ]);
    const { texts, notes } = await readEvents(['Datum;Was', 'Sa 2.5.;Fest', 'So 10.5.;Lauf']);
    expect(texts).toEqual(['2026-05-02T00:00 Fest', '2026-05-10T00:00 Lauf']);
    expect(notes).toEqual([
      '2 dates have no year, in rows 2–3, such as "Sa 2.5.". Their weekdays fit 2026.',
    ]);
    expect(mixed.notes).toEqual([
      '2 dates have no year, in rows 2, 4, such as "1. Mai". They were read like the others, from 2026 on.',
    ]);
    const title = await readEvents(['Plan 2026', 'Datum;Was', '1.5.2026;Fest', '2.5.;Lauf']);
    expect(title.notes).toContain(
      '"2.5." in row 4 has no year. It was taken from "Plan 2026": 2026.',
    );
  });

  it('the dates of a table may stand in headings above the events', async () => {
    const { texts, notes } = await readEvents([
      'Zeit;Heim;Gast',
      'Samstag, 15.08.2026;;',
      '13:00 Uhr;SV Tal II;FSV Au II',
      '15:30;JSG Tal;SG Au',
      'Spieltag 2 – Sonntag, 16.08.2026;;',
      '15:00;SV Tal;FSV Au',
    ]);
    expect(texts).toEqual([
      '2026-08-15T13:00 SV Tal II – FSV Au II',
      '2026-08-15T15:30 JSG Tal – SG Au',
      '2026-08-16T15:00 SV Tal – FSV Au',
    ]);
    expect(notes).toContain(
      'Rows 2, 5 have no event and were left out: "Samstag, 15.08.2026", "Spieltag 2 – Sonntag, 16.08.2026".',
    );
  });

  it('the dates of a table may have their months in headings, in another column or in the title', async () => {
    const days = (events: { readonly texts: readonly string[] }) =>
      events.texts.map((text) => text.slice(0, 10));
    const headings = await readEvents([
      'Jahresplan 2026;;',
      'Wochentag;Tag;Was',
      'Januar;;',
      'Di;6;Sitzung',
      'JULI;;',
      'Fr–So;10.–12.;Fest',
    ]);
    expect(days(headings)).toEqual(['2026-01-06', '2026-07-10']);
    const column = await readEvents([
      'CALENDRIER 2027;;',
      'Mois;Jour;Concours',
      'MARS;Sam 13;Ouverture',
      ';Dim 21;Secteur',
      'MAI;Sam 1er;Muguet',
    ]);
    expect(days(column)).toEqual(['2027-03-13', '2027-03-21', '2027-05-01']);
    const title = await readEvents([
      'Célébrations – Octobre 2026;',
      'Jour;Célébration',
      'Samedi 3;Messe',
      'Dimanche 4;Messe des familles',
    ]);
    expect(days(title)).toEqual(['2026-10-03', '2026-10-04']);
  });

  it('the dates of a table may have their years in headings', async () => {
    const { texts, notes } = await readEvents([
      'Day & date,Event',
      'AUTUMN TERM 2026,',
      'Wednesday 2nd September,INSET day',
      'Fri 18 - Sat 19 Dec,Fair',
      'SPRING TERM 2027,',
      'Tue 5th January,Term starts',
    ]);
    expect(texts.map((text) => text.slice(0, 10))).toEqual([
      '2026-09-02',
      '2026-12-18',
      '2027-01-05',
    ]);
    expect(notes).toContain(
      'Rows 2, 5 have no event and were left out: "AUTUMN TERM 2026", "SPRING TERM 2027".',
    );
  });

  it('the dates of a table may have a time with other words, which are named', async () => {
    const { texts, notes } = await readEvents([
      'Datum;Zeit;Was',
      '1.5.2026;20:00 v;Spiel',
      '2.5.2026;19³⁰;Übung',
      '3.5.2026;lt. Plakat;Fest',
      '4.5.2026;n. Abspr.;Lauf',
      '20.5.2026 (ganztägig);;Reise',
    ]);
    expect(texts).toEqual([
      '2026-05-01T20:00 Spiel',
      '2026-05-02T19:30 Übung',
      '2026-05-03T00:00 Fest',
      '2026-05-04T00:00 Lauf',
      '2026-05-20T00:00 Reise',
    ]);
    expect(notes).toEqual([
      'In row 2, only the first time of "20:00 v" was taken.',
      '2 rows have no time yet, such as "lt. Plakat" in row 4.',
    ]);
  });

  it('the dates of a table get the order of day and month from a weekday', async () => {
    const { texts } = await readEvents(['date;titre', 'sam. 02/05/2026;Bal', '03/05/2026;Jeu']);
    expect(texts).toEqual(['2026-05-02T00:00 Bal', '2026-05-03T00:00 Jeu']);
    const hyphens = await readEvents(['date,event', '05-02-2026,Ball', '05-31-2026,Game']);
    expect(hyphens.texts).toEqual(['2026-05-02T00:00 Ball', '2026-05-31T00:00 Game']);
    const behind = await readEvents([
      'date,event',
      '8/28/2026 Fri,Ball',
      '9/3/2026 Thu 4:30 PM,Game',
    ]);
    expect(behind.texts).toEqual(['2026-08-28T00:00 Ball', '2026-09-03T16:30 Game']);
    const short = await readEvents(['date,event', '21/09/25 10:30,Ball', '02/11/25 11:15,Game']);
    expect(short.texts).toEqual(['2025-09-21T10:30 Ball', '2025-11-02T11:15 Game']);
  });

  it('the dates of a table are read with a note if they are ranges, repeated or of another weekday', async () => {
    const { texts, notes } = await readEvents([
      'Datum;Zeit;Was',
      '1.–3. Mai 2026;10:00;Lager',
      ';19:30 Uhr;Abendlauf',
      'Mo, 16.05.2026;;Markt',
    ]);
    expect(texts).toEqual([
      '2026-05-01T10:00 Lager',
      '2026-05-01T19:30 Abendlauf',
      '2026-05-16T00:00 Markt',
    ]);
    expect(notes).toEqual([
      'Row 3 has a time but no date. It got the date of the row above: "1.–3. Mai 2026".',
      'Row 3 has several days: "1.–3. Mai 2026". The event has the first one.',
      'In row 4, the weekday does not fit the date: "Mo, 16.05.2026". The date was taken.',
    ]);
  });
});

describe('a correction', () => {
  const lines = ['Was;Datum;Zeit;Halle;Stadt', 'Fest;31.11.2026;abends;Aula;Ulm'];

  it('replaces the cells of a field', async () => {
    const corrections = [
      { row: 2, field: 'date', text: '2026-11-30' },
      { row: 2, field: 'time', text: '19.30 Uhr' },
      { row: 2, field: 'location', text: 'Saal' },
    ] as const;
    const { texts } = await readEvents(lines, { corrections });
    expect(texts).toEqual(['2026-11-30T19:30 Fest, Saal']);
  });

  it('a correction is read like a cell of the file', async () => {
    const corrections = [{ row: 2, field: 'date', text: '32.11.2026' }] as const;
    const refusal = await readRefusal(lines.join('\n'), { corrections, map: { time: null } });
    expect(refusal).toMatch(/row 2, .*"32\.11\.2026" was not understood/);
  });
});
