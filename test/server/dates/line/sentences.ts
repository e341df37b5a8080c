/**
 * Sentences as people write them, on Wednesday 25 November 2026 at 10:00 in Berlin: the text, then
 * the date, the time, the end and the words that stay in the name or place. A row with `?` may also
 * leave words visible that are not understood. Everything from # on is the reason.
 */
export const sentences = {
  en: `
Training Tue 19:00 sports hall → 2026-12-01 | 19:00 | | Training sports hall # plain form; the place stays in the name
training sat 15:00-17:00 → 2026-11-28 | 15:00 | 17:00 | training # lower case, end time goes into the note
? Camp 3 July to 5 July Lake Windermere → 2027-07-03 | | 2027-07-05 | Camp Lake Windermere # range of days: first day at most, '5 July' must remain visible
Nets Tue and Thu 7pm → | 19:00 | | Nets Tue and Thu # two days, one event has one date: ask, both visible
? Committee 1st Monday of December 7.30pm → 2026-12-07 | 19:30 | | Committee # ordinal weekday in a month; never today, never the coming Monday
? Quiz Friday week 8pm Red Lion → 2026-12-04 | 20:00 | | Quiz Red Lion # British: a week after the coming Friday; 27 Nov is wrong
? bar rota a week on saturday → 2026-12-05 | | | bar rota # British: coming Saturday plus a week
? Walk on Boxing Day 11am → 2026-12-26 | 11:00 | | Walk # named day; 'Boxing Day' left in the name with the date asked for is fine
U15 v Ashford Sat 28th 2.30pm → 2026-11-28 | 14:30 | | U15 v Ashford # weekday and day of the month agree with this month; U15 is no date
? AGM thurs 3rd dec half seven church hall → 2026-12-03 | 19:30 | | AGM church hall # British 'half seven' is 7:30, of an AGM in the evening; the date must be taken in any case, only 'half seven' may stay in the name; 06:30 and 18:30 are wrong
May Ball Sat 5 June 8pm → 2027-06-05 | 20:00 | | May Ball # May belongs to the name, the month is June
Rovers on the march Sun 6 Dec 11am meet at the pub → 2026-12-06 | 11:00 | | Rovers on the march meet at the pub # 'on the march' is no month; 'at the pub' is no time
Sun Inn darts away thurs 8pm → 2026-11-26 | 20:00 | | Sun Inn darts away # Sun Inn is a pub, Thursday is the day; ask is no excuse for Sunday
Do it yourself night Fri 7pm → 2026-11-27 | 19:00 | | Do it yourself night # 'Do' is no weekday in English
3/4/2027 summer fete planning → | | | 3/4/2027 summer fete planning # 3 April or March 4: ask
Xmas do 13/12 noon → 2026-12-13 | 12:00 | | Xmas do # 13 can only be the day; 'do' is a party
? Potluck 12/19 6:30pm → 2026-12-19 | 18:30 | | Potluck # American order, only one reading exists
Holiday party December 12, 2026 at 7 p.m. → 2026-12-12 | 19:00 | | Holiday party # full American date
? Turkey Trot Thanksgiving morning 8am → 2026-11-26 | 08:00 | | Turkey Trot # 4th Thursday of November is tomorrow; luxury
24h run Sat 19 June 2027 10am Cat. 3 → 2027-06-19 | 10:00 | | 24h run Cat. 3 # 24h and 3 are no times or days
3rd team v St Mary's 2nds sat 12 dec 1.30 pm pitch 4 → 2026-12-12 | 13:30 | | 3rd team v St Mary's 2nds pitch 4 # 3rd and 2nds are teams
First aid course 31 June 9am → | 09:00 | | First aid course 31 June # no such day: ask, never 1 July or 30 June
NYE party thu 31 dec 9pm till 2am → 2026-12-31 | 21:00 | 02:00 | NYE party # end after midnight; NYE may stay in the name since the date is written
? Fireworks New Year's Eve midnight → 2026-12-31 | | | Fireworks midnight # 31 Dec 00:00 is wrong (the night before); 'midnight' visible, or 2027-01-01 00:00, or ask
? Skittles tomorrow night quarter to 8 → 2026-11-26 | 19:45 | | Skittles # 'night' makes it 19:45; the date must be taken, 'quarter to 8' may stay visible; 07:45 is wrong
? Ladies captain's lunch in a fortnight 12.30 → 2026-12-09 | 12:30 | | Ladies captain's lunch # fortnight = 14 days
clocks go back night hike 31 Oct 2027 02:30 → 2027-10-31 | 02:30 | | clocks go back night hike # hour that comes twice (Central Europe): keep the clock time as typed
? Pool No. 5 lane 7 swim test Mon 1900 → 2026-11-30 | 19:00 | | Pool No. 5 lane 7 swim test # 1900 after a weekday is a time; it may stay visible, the date must be taken
1900 Club dinner Fri 22 Jan 7pm → 2027-01-22 | 19:00 | | 1900 Club dinner # 1900 is the club's name: the time is 7pm
Marathon cttee next Tuesday 7.30pm → 2026-12-01 | 19:30 | | Marathon cttee # said on a Wednesday both readings of 'next Tuesday' are 1 Dec; 'Mar' in Marathon is no month
Juniors next Sat 10am → | 10:00 | | Juniors next Sat # 28 Nov or 5 Dec, natives disagree: ask
Training every Wed 6pm until Easter → 2026-11-25 | 18:00 | | Training # a repetition with its end
Ring caterer 020 7946 0958 re £12.50 menu Mon → 2026-11-30 | | | Ring caterer 020 7946 0958 re £12.50 menu # phone number and price are no times
Raffle 8pm → | 20:00 | | Raffle # time without a date: ask, do not assume today
Tue 5 Dec carol singing 6.30pm → | 18:30 | | Tue 5 Dec carol singing # 5 Dec 2026 is a Saturday (2027: Sunday): weekday and date disagree, ask
? Bowls wed 9am → 2026-12-02 | 09:00 | | Bowls # today is Wednesday and 9:00 is over: next Wednesday, or ask
Half-term camp Mon-Fri 10am-3pm → | 10:00 | 15:00 | Half-term camp Mon-Fri # several days: ask; Mon 30 Nov with '-Fri' visible would also pass, if a range
10 km fun run Sun 18th April 2027 9:30 a.m. - 12 noon → 2027-04-18 | 09:30 | 12:00 | 10 km fun run # 10 km is no date; the end is noon
? Fri 20 Nov match report v Hythe 4-2 → 2026-11-20 | | | match report v Hythe 4-2 # the weekday proves last Friday (20 Nov 2027 is a Saturday); 4-2 is a score
Sat 2 or Sun 3 Jan pairs final → | | | Sat 2 or Sun 3 Jan pairs final # two proposals: ask, both visible
Committee Mon half past seven → 2026-11-30 | 19:30 | | Committee # spoken half
Pub quiz Thu quarter past eight → 2026-11-26 | 20:15 | | Pub quiz # spoken quarter
? Ramble Sun half nine → 2026-11-29 | 09:30 | | Ramble # morning or evening: the words may stay
Setup Sat half seven in the morning → 2026-11-28 | 07:30 | | Setup # the part of the day decides
Camp 3-5 July Lakeside → 2027-07-03 | | 2027-07-05 | Camp Lakeside # several days
Camp Fri 19:00 to Sun 16:00 Old barn → 2026-11-27 | 19:00 | 2026-11-29 16:00 | Camp Old barn # several days with times
AGM last Friday in January 8pm → 2027-01-29 | 20:00 | | AGM # ordinal weekday
Rota meeting 2nd Tuesday of the month 7pm → 2026-12-08 | 19:00 | | Rota meeting # repetition
Nets Tuesdays 6pm → 2026-12-01 | 18:00 | | Nets # repetition
Nets every other Thu 6pm → 2026-11-26 | 18:00 | | Nets # repetition
Nets Thu from 5 July every week 6pm → 2027-07-08 | 18:00 | | Nets # 5 July 2027 is a Monday: each date is a Thursday
Coffee Saturday fortnight 10.30am → 2026-12-12 | 10:30 | | Coffee # two weeks after the coming Saturday
Match moved from Sat to Sun 2pm → | 14:00 | | Match moved from Sat to Sun # a move is no range
Entries close before Fri 4 Dec → | | | Entries close before Fri 4 Dec # a deadline is no day of an event
Exhibition until Sun 13 Dec → | | | Exhibition until Sun 13 Dec # an end without a start
Training Thu instead of Tue 7pm → | 19:00 | | Training Thu instead of Tue # the day beside the time is the wrong one
No bar except Sat 5 Dec → | | | No bar except Sat 5 Dec # exception
Skittles 29 Feb 7pm → | 19:00 | | Skittles 29 Feb # not next year
Fireworks 5/11/2027 7pm → | 19:00 | | Fireworks 5/11/2027 # 5 November or May 11
Sports day Sat 5/12 10am → 2026-12-05 | 10:00 | | Sports day # the weekday decides
Treasurer 13/1 6pm → 2027-01-13 | 18:00 | | Treasurer # one reading
? Dinner Sat 28 Nov 7.30 for 8pm → 2026-11-28 | 19:30 | | Dinner for 8pm # arrive at half past seven
Youth night Fri 7 Mill Hall → 2026-11-27 | | | Youth night 7 Mill Hall # 7 is a house number or an hour
Race 10 Sat 12 Dec 9.30am → 2026-12-12 | 09:30 | | Race 10 # 10 is a race
? Friendly v Dover Sun 2.30 → 2026-11-29 | 14:30 | | Friendly v Dover # never 02:30
? Ladies darts Mon 7.30 → 2026-11-30 | 19:30 | | Ladies darts # morning or evening
? Carols Christmas Eve 6pm → 2026-12-24 | 18:00 | | Carols # named day
? Egg hunt Easter Monday 11am → 2027-03-29 | 11:00 | | Egg hunt # movable feast
Egg hunt Easter Monday 2028 11am → 2028-04-17 | 11:00 | | Egg hunt # a feast with its year
Bonfire Easter Monday 2030 → | | | Bonfire Easter Monday 2030 # a year, or half past eight
? Working party week on Sunday 9am → 2026-12-06 | 09:00 | | Working party # the coming Sunday plus a week
? Net practice Wed week 6pm → 2026-12-02 | 18:00 | | Net practice # a week today
Walk Saturday morning 10 to noon → 2026-11-28 | 10:00 | 12:00 | Walk # range of hours
Bar 6pm-late Fri → 2026-11-27 | 18:00 | | Bar late # an open end stays
Lunch 12-2pm Sun → 2026-11-29 | 12:00 | 14:00 | Lunch # the end gives the half of the day
Bonfire on the last Saturday → | | | Bonfire on the last Saturday # of which month?
Swim 25 laps Thu 6.45am → 2026-11-26 | 06:45 | | Swim 25 laps # 25 is no day
Trip 24th and 25th June → | | | Trip 24th and 25th June # two days
Disco Thu tomorrow night → 2026-11-26 | | | Disco night # two words for one day
Board call tonight 8pm → 2026-11-25 | 20:00 | | Board call # ordinary
Coffee at 10 Fri → 2026-11-27 | 10:00 | | Coffee # hour before the day
Boat lift Sat 29th 9am → | 09:00 | | Boat lift Sat 29th # the 29th is a Sunday
? New Year party 31 Dec 00:00 → 2026-12-31 | | | New Year party 00:00 # an event cannot begin at midnight
Disco Sat doors 7pm band 8pm → 2026-11-28 | | | Disco doors 7pm band 8pm # two times, neither beside the day
Regatta 3 July 10am - 4 July 5pm → 2027-07-03 | 10:00 | 2027-07-04 17:00 | Regatta # the end of the time is a day
Regatta Sat 3 - Sun 4 July → 2027-07-03 | | 2027-07-04 | Regatta # several days with weekdays
Meeting Monday after next 7pm → | 19:00 | | Meeting Monday after next # words behind the day
Meeting a week tomorrow 7pm → | 19:00 | | Meeting a week tomorrow # words before the day
Meeting Sat 5th Dec 7 o'clock → 2026-12-05 | | | Meeting 7 o'clock # morning or evening
Training sessions Tue 1, 8, 15 Dec 7pm → | 19:00 | | Training sessions Tue 1, 8, 15 Dec # three days
Swim Mon, Wed, Fri 7am → | 07:00 | | Swim Mon, Wed, Fri # three days
Meeting 7 Dec 2030 → | 20:30 | | Meeting 7 Dec # a year or half past eight
Meeting 7 Dec 1930 → 2026-12-07 | 19:30 | | Meeting # no year
Jubilee 14 March 1900 19:00 → 1900-03-14 | 19:00 | | Jubilee # a year, as a time follows
AGM 5 Dec 2030 19:00 → 2030-12-05 | 19:00 | | AGM # a year, as a time follows
Parade Remembrance Sunday 10am → | 10:00 | | Parade Remembrance Sunday # a certain Sunday
Course Tue to Thu next → | | | Course Tue to Thu next # next for one day or for both`,
  de: `
Training Di 19 Uhr Turnhalle → 2026-12-01 | 19:00 | | Training Turnhalle # plain form
? Probe do um halb acht → 2026-11-26 | 19:30 | | Probe # a rehearsal at half past seven is in the evening; the date must be taken, 'um halb acht' may stay visible; 08:30 or 20:30 are wrong, 07:30 not meant
Abfahrt Sa 5.12. um halb acht morgens Busbahnhof → 2026-12-05 | 07:30 | | Abfahrt Busbahnhof # 'morgens' is in the morning, not tomorrow
Vorstandssitzung heute Abend 8 Uhr → 2026-11-25 | 20:00 | | Vorstandssitzung # 'Abend' makes 8 to 20:00; 08:00 is wrong
? KW 49 Di Hallenputz 18:00 → 2026-12-01 | 18:00 | | Hallenputz # ISO week 49 is next week
? Wanderung Sonntag in einer Woche 9 Uhr → 2026-12-06 | 09:00 | | Wanderung # coming Sunday plus a week; 29 Nov and 2 Dec are wrong
Osterlauf Ostermontag 2028 10 Uhr → 2028-04-17 | 10:00 | | Osterlauf # a feast with its year
? Osterlauf Ostermontag 10 Uhr → 2027-03-29 | 10:00 | | Osterlauf # movable feast; 'Mo' inside the word is not next Monday
U15 - TSV Sa 28.11. 14:30-16:00 Platz 2 → 2026-11-28 | 14:30 | 16:00 | U15 - TSV Platz 2 # end time; U15 and Platz 2 are no dates
Jahreshauptversammlung Fr 22. Jänner 19:30 → 2027-01-22 | 19:30 | | Jahreshauptversammlung # Austrian January, ordinary there
? Stockschießen do um dreiviertel acht am Abend → 2026-11-26 | 19:45 | | Stockschießen # Austrian/southern: 19:45; the date must be taken, the clock words may stay visible
Fondue Fr. 25.- Sa 12.12. 18.30 Uhr → 2026-12-12 | 18:30 | | Fondue Fr. 25.- # Swiss price 'Fr. 25.-' is neither Friday nor the 25th
So feiern wir: Helferfest Fr 11.12. 19 Uhr → 2026-12-11 | 19:00 | | So feiern wir: Helferfest # 'So' is no Sunday
? Gespräch mit Fr. Müller Do 10 Uhr Raum 12 → 2026-11-26 | 10:00 | | Gespräch mit Fr. Müller Raum 12 # 'Fr.' is Frau, Thursday is the day; two candidates, asking is fine, Friday is wrong
Abschied von Jan Fr 18.12. ab 19.30 Uhr → 2026-12-18 | 19:30 | | Abschied von Jan # Jan is a person
1. FC Lauf - 2. Mannschaft so 29.11. 15h → 2026-11-29 | 15:00 | | 1. FC Lauf - 2. Mannschaft # 1. and 2. are no days; lower-case 'so' with its date is Sunday
Training Di u. Do 18:30 → | 18:30 | | Training Di u. Do # two days: ask, both visible
? Zeltlager 3.-5. Juli am See → 2027-07-03 | | 2027-07-05 | Zeltlager am See # range of days: first day with the range left visible, or ask
Kartenspiel 30. Februar → | | | Kartenspiel 30. Februar # no such day: ask
Nachtlauf Sa 5.12. 25:00 → 2026-12-05 | | | Nachtlauf 25:00 # no such time: the date is taken, 25:00 stays visible
Silvesterparty 31.12. 21 Uhr - 2 Uhr → 2026-12-31 | 21:00 | 02:00 | Silvesterparty # end after midnight
? Feuerwerk Silvester 24 Uhr → 2026-12-31 | | | Feuerwerk 24 Uhr # 31 Dec 00:00 is wrong; '24 Uhr' visible, or 2027-01-01 00:00, or ask
? Zeitumstellung Nachtwache So 28.3.27 02:30 → 2027-03-28 | 02:30 | | Zeitumstellung Nachtwache # 02:30 does not exist that night: keep as typed or leave visible, never 03:30 or 01:30 silently
Bezirkstag übermorgen 17 Uhr → 2026-11-27 | 17:00 | | Bezirkstag # the day after tomorrow; 'morgen' inside is not tomorrow
Training nächsten Samstag 10 Uhr → | 10:00 | | Training nächsten Samstag # 28 Nov (north) or 5 Dec (south): ask
Grünkohlessen kommenden Sa 13 uhr → 2026-11-28 | 13:00 | | Grünkohlessen # 'kommenden' has one reading
Spieleabend nächste Woche Mi 19:30 → 2026-12-02 | 19:30 | | Spieleabend # Wednesday of next week; today is wrong
jeden Montag Lauftreff 18 Uhr → 2026-11-30 | 18:00 | | Lauftreff # repetition
? Stammtisch 1. Donnerstag im Januar 20 Uhr → 2027-01-07 | 20:00 | | Stammtisch # ordinal weekday; neither tomorrow nor 1 January
4:2 nachfeiern Fr ab 20 Uhr Bahn 7 → 2026-11-27 | 20:00 | | 4:2 nachfeiern Bahn 7 # 4:2 is a result, Bahn 7 a lane
Lauf 5.5 km Sa 13 Uhr → 2026-11-28 | 13:00 | | Lauf 5.5 km # 5.5 km is neither 5 May nor 5:05
Maifest 1. Mai 11 Uhr bis 18 Uhr → 2027-05-01 | 11:00 | 18:00 | Maifest # 'Mai' inside the name stays
Sitzung mo 19 uhr anderthalb Stunden → 2026-11-30 | 19:00 | | Sitzung anderthalb Stunden # a duration stays visible (end 20:30 in the note also passes); it is no 'halb'
? Adventsfeier 2. Advent 15 Uhr → 2026-12-06 | 15:00 | | Adventsfeier # second Sunday in Advent, luxury; never the 2nd of a month
Höck am 7. Jan. viertel nach acht abends → 2027-01-07 | 20:15 | | Höck # 'abends' settles the hour; ordinary clock words
Neujahrskonzert So 3.1. 17 Uhr Eintritt 8.50 → 2027-01-03 | 17:00 | | Neujahrskonzert Eintritt 8.50 # 8.50 is a price, the year is 2027
Training morgen Fr 18:00 → | 18:00 | | Training morgen Fr # tomorrow is Thursday: contradiction, ask
? U13 Sa 28.11. Treff 13:00 Anstoß 14:30 → 2026-11-28 | 14:30 | | U13 Treff 13:00 # two times: none may vanish and 14:30 is no end; 13:00 with 'Anstoß 14:30' visible, or both visible, also pass; the date must be taken
Anruf Hausmeister 0171 2345678 morgen früh → 2026-11-26 | | | Anruf Hausmeister 0171 2345678 früh # phone number is no time; a part of the day without a time stays
? Weihnachtsfeier 12.12.2025 → 2025-12-12 | | | Weihnachtsfeier # past with its year: as typed or asked, never 2026
Kassaprüfung 14:00 → | 14:00 | | Kassaprüfung # time without a date: ask
Chor Mo Viertel nach sieben → 2026-11-30 | 19:15 | | Chor # spoken quarter
? Sitzung Fr um acht → 2026-11-27 | 20:00 | | Sitzung # the hour may stay
? Frühstück So halb zehn → 2026-11-29 | 09:30 | | Frühstück # morning or evening
Training Di halb sieben abends → 2026-12-01 | 18:30 | | Training # the part of the day decides
Turnen Mi 17-18:30 Uhr → 2026-11-25 | 17:00 | 18:30 | Turnen # today, still to come
Zeltlager 3. bis 5. Juli 2027 → 2027-07-03 | | 2027-07-05 | Zeltlager # several days
Fahrt Fr 4.12. - So 6.12. Hütte → 2026-12-04 | | 2026-12-06 | Fahrt Hütte # several days
Vorstand letzter Freitag im Januar 20 Uhr → 2027-01-29 | 20:00 | | Vorstand # ordinal weekday
Skat jeden zweiten Dienstag 19 Uhr → 2026-12-01 | 19:00 | | Skat # repetition
Gymnastik dienstags 18 Uhr → 2026-12-01 | 18:00 | | Gymnastik # repetition
Aufbau Samstag in 14 Tagen 9 Uhr → 2026-12-12 | 09:00 | | Aufbau # two weeks after the coming Saturday
Spiel von Sa auf So verlegt 15 Uhr → | 15:00 | | Spiel von Sa auf So verlegt # a move is no range
Anmeldung bis Fr 4.12. → | | | Anmeldung bis Fr 4.12. # a deadline
Turnier Fr bis So 4.12. → | | | Turnier Fr bis So 4.12. # two weekdays and one date: the end is not known
Training 1.5. Samstag bis Dienstag → | | | Training 1.5. Samstag bis Dienstag # the same behind the date
Training Do statt Di 19 Uhr → | 19:00 | | Training Do statt Di # the day beside the time is the wrong one
kein Training außer Di 1.12. → | | | kein Training außer Di 1.12. # exception
Heimspiel 29. Feb. 15 Uhr → | 15:00 | | Heimspiel 29. Feb. # not next year
? Wanderung Karfreitag 10 Uhr → 2027-03-26 | 10:00 | | Wanderung # movable feast
? Turnier Pfingstmontag 9 Uhr → 2027-05-17 | 09:00 | | Turnier # movable feast
? Chor Heiligabend 16 Uhr → 2026-12-24 | 16:00 | | Chor # named day
Heute Abend Skat 19:30 → 2026-11-25 | 19:30 | | Skat # the day comes first
Probe Di und Do je 19 Uhr → | 19:00 | | Probe Di und Do je # two days
Lauf 7. oder 8. Mai → | | | Lauf 7. oder 8. Mai # two proposals
Bus ab 7:15 Sa 5.12. → 2026-12-05 | 07:15 | | Bus # early as written
Ausflug Sa. 28. 8 Uhr → 2026-11-28 | 08:00 | | Ausflug # weekday and day of the month agree
Wanderung Sa 29. 9 Uhr → | 09:00 | | Wanderung Sa 29. # the 29th is a Sunday
? Training KW 50 Do 18 Uhr → 2026-12-10 | 18:00 | | Training # ISO week
Besprechung nächsten Dienstag 18 Uhr → 2026-12-01 | 18:00 | | Besprechung # both readings agree
Putztag übernächsten Samstag 9 Uhr → | 09:00 | | Putztag übernächsten Samstag # 5 or 12 December
Platz 3 Halle 4 Mo 20 Uhr → 2026-11-30 | 20:00 | | Platz 3 Halle 4 # numbers of places
Jugend 2:1 Sieg Feier Sa 18 Uhr → 2026-11-28 | 18:00 | | Jugend 2:1 Sieg Feier # a result
Kuchen 2,50 € Sa 14 Uhr → 2026-11-28 | 14:00 | | Kuchen 2,50 € # a price
Sommerfest 1.-3.8. Festwiese → 2027-08-01 | | 2027-08-03 | Sommerfest Festwiese # several days
Training Mo-Fr 17 Uhr → | 17:00 | | Training Mo-Fr # five evenings or one long event
? Essen 1. Weihnachtstag 12 Uhr → 2026-12-25 | 12:00 | | Essen # named day
Helferessen am Fr., den 4. Dezember um 19 Uhr → 2026-12-04 | 19:00 | | Helferessen # as in a letter
Treffen am Samstag Vormittag 9 Uhr → 2026-11-28 | 09:00 | | Treffen # the part of the day agrees
Training Do 18 bis 19:30 → 2026-11-26 | 18:00 | 19:30 | Training # range of hours
? Kurs ab 1. März → 2027-03-01 | | | Kurs # open range of days
Spiele Sa 10:00 und 14:00 → 2026-11-28 | | | Spiele 10:00 und 14:00 # two times
Fest vom 3. Juli bis zum 5. Juli → 2027-07-03 | | 2027-07-05 | Fest # several days
Fest von Freitag bis Sonntag → 2026-11-27 | | 2026-11-29 | Fest # several days
Treffen Fr nach Ostern 18 Uhr → | 18:00 | | Treffen Fr nach Ostern # words behind the day
Kurs immer Di 18 Uhr → | 18:00 | | Kurs immer Di # repetition
Lauf 10.10 Uhr Sa → 2026-11-28 | 10:10 | | Lauf # a time, not 10 October`,
  fr: `
Entraînement mar 19h gymnase → 2026-12-01 | 19:00 | | Entraînement gymnase # 'mar' before a time is mardi, not mars
match sam 15h-17h stade → 2026-11-28 | 15:00 | 17:00 | match stade # end time goes into the note
? Assemblée générale samedi en huit 10h → 2026-12-05 | 10:00 | | Assemblée générale # coming Saturday plus a week; 28 Nov is wrong, 'huit' is no time
? Loto mardi en quinze 20h → 2026-12-15 | 20:00 | | Loto # coming Tuesday plus two weeks; 1 Dec is wrong
CA demain soir 20h30 → 2026-11-26 | 20:30 | | CA # ordinary
Sortie en mer dim 6 déc 9h → 2026-12-06 | 09:00 | | Sortie en mer # 'mer' is the sea
? Soirée jeu ven 20h → 2026-11-27 | 20:00 | | Soirée jeu # 'jeu' is a game, the day is Friday; Thursday is wrong, two candidates may be asked
Pot de départ de Sam jeu 17/12 18h30 → 2026-12-17 | 18:30 | | Pot de départ de Sam # Sam is a person; the date 17/12 decides
Rando Champ de Mars dim 14 mars 14h → 2027-03-14 | 14:00 | | Rando Champ de Mars # first Mars is a place
1/2 finale coupe sam 5 déc 15 h → 2026-12-05 | 15:00 | | 1/2 finale coupe # 1/2 is no 1 February
? Étape 3/4 sam. 14h30 → 2026-11-28 | 14:30 | | Étape 3/4 # stage 3 of 4; 3 April 2027 is a Saturday too, so asking is fine
? Stage du 3 au 5 juillet lac d'Annecy → 2027-07-03 | | 2027-07-05 | Stage lac d'Annecy # range of days: first day with the range left visible, or ask; 5 July alone is wrong
Entraînement mar et jeu 18h30 → | 18:30 | | Entraînement mar et jeu # two days: ask, both visible
? Bureau premier lundi de décembre 19h → 2026-12-07 | 19:00 | | Bureau # ordinal weekday; 30 Nov is wrong
fête du club 1er mai 11h → 2027-05-01 | 11:00 | | fête du club # 1er is the ordinary form
? Repas Saint-Sylvestre 20h → 2026-12-31 | 20:00 | | Repas # named day, luxury
Réveillon 31/12 20h jusqu'à 3h → 2026-12-31 | 20:00 | 03:00 | Réveillon # end after midnight
? réunion dans quinze jours 18h → 2026-12-09 | 18:00 | | réunion # quinze jours = two weeks (9 Dec), not 15 days; never 15:00
? 3/4/2027 brocante → 2027-04-03 | | | brocante # in French only day/month; March 4 is wrong
Tournoi U15 cat. 3 dim 29/11 9h-12h salle 12 → 2026-11-29 | 09:00 | 12:00 | Tournoi U15 cat. 3 salle 12 # U15, 3 and salle 12 are no dates
? Souper de l'équipe ve 18.12 19h30 → 2026-12-18 | 19:30 | | Souper de l'équipe # Swiss date and weekday; 've' must not be lost unless understood
Tournoi de belote 31 juin 14h → | 14:00 | | Tournoi de belote 31 juin # no such day: ask
? Cours d'apnée mer 20h → 2026-11-25 | 20:00 | | Cours d'apnée # mercredi, today at 20:00 still to come; asking is fine
tous les mardis yoga 18h15 → 2026-12-01 | 18:15 | | yoga # repetition
Match samedi prochain 16h → | 16:00 | | Match samedi prochain # 28 Nov or 5 Dec, natives disagree: ask
Comité mardi prochain 20h → 2026-12-01 | 20:00 | | Comité # said on a Wednesday both readings are 1 Dec
Marathon relais 10 km dim matin 8h → 2026-11-29 | 08:00 | | Marathon relais 10 km # 'Mar' in Marathon and 10 km are no dates
Concert ven 11 déc. 20h15 entrée 12,50 € → 2026-12-11 | 20:15 | | Concert entrée 12,50 € # price is no time
24h du club sam 19 juin 2027 10h → 2027-06-19 | 10:00 | | 24h du club # 24h is the name of the race
? Lundi de Pâques chasse aux œufs 10h → 2027-03-29 | 10:00 | | chasse aux œufs # movable feast; next Monday is wrong
? Ce soir vestiaire 19h moins le quart → 2026-11-25 | 18:45 | | vestiaire # 18:45; taking 19:00 and losing 'moins le quart' is wrong, the date must be taken
Rappeler traiteur 06 12 34 56 78 lun → 2026-11-30 | | | Rappeler traiteur 06 12 34 56 78 # 06 12 is no 6 December
Veille horaire d'été sam 27 mars 23h-4h → 2027-03-27 | 23:00 | 04:00 | Veille horaire d'été # over the DST night, end the next morning
Dictée 7 et 14 décembre 19h → | 19:00 | | Dictée 7 et 14 décembre # two dates: ask; 14 Dec with '7 et' left over is wrong
? Anniversaire 50 ans du club sam 12 juin à midi et demi → 2027-06-12 | 12:30 | | Anniversaire 50 ans du club # 12:30; 12:00 with 'et demi' lost is wrong; the date must be taken
? Bilan 14/11/2026 → 2026-11-14 | | | Bilan # past with its year: as typed or asked
Petit déj 8h → | 08:00 | | Petit déj # time without a date: ask
Permanence lun de 14h à 16h → 2026-11-30 | 14:00 | 16:00 | Permanence # 'de … à …' is the ordinary range of time
Spectacle sept nains dim 12 sept. 15h → 2027-09-12 | 15:00 | | Spectacle sept nains # first 'sept' is seven
Pratique jeu. 19 h 30 aréna → 2026-11-26 | 19:30 | | Pratique aréna # Quebec spacing of the time
? Réunion lun huit heures et demie du soir → 2026-11-30 | 20:30 | | Réunion # spoken hours
Bureau jeu 20h15 → 2026-11-26 | 20:15 | | Bureau # ordinary
Entraînement mar de 18h30 à 20h → 2026-12-01 | 18:30 | 20:00 | Entraînement # range of hours
Stage du 3 au 5 juillet 2027 Annecy → 2027-07-03 | | 2027-07-05 | Stage Annecy # several days
Tournoi sam 5 et dim 6 déc → | | | Tournoi sam 5 et dim 6 déc # two days
Réunion dernier vendredi de janvier 19h → 2027-01-29 | 19:00 | | Réunion # ordinal weekday
Chorale chaque jeudi 20h → 2026-11-26 | 20:00 | | Chorale # repetition
Yoga un mardi sur deux 18h → 2026-12-01 | 18:00 | | Yoga # repetition
Goûter mercredi après-midi 15h → 2026-11-25 | 15:00 | | Goûter # today, still to come
Pétanque dimanche en quinze 14h → 2026-12-13 | 14:00 | | Pétanque # the coming Sunday plus two weeks
Match reporté de sam à dim 15h → | 15:00 | | Match reporté de sam à dim # a move is no range
Inscriptions jusqu'au 4 décembre → | | | Inscriptions jusqu'au 4 décembre # a deadline
Inscriptions avant le ven 4 déc → | | | Inscriptions avant le ven 4 déc # a deadline
Cours jeu au lieu de mar 19h → | 19:00 | | Cours jeu au lieu de mar # the day beside the time is the wrong one
Fermé sauf sam 5 déc → | | | Fermé sauf sam 5 déc # exception
Loto 29 février 20h → | 20:00 | | Loto 29 février # not next year
? Marché vendredi saint 9h → 2027-03-26 | 09:00 | | Marché # movable feast; never the coming Friday
? Kermesse jeudi de l'Ascension 10h → 2027-05-06 | 10:00 | | Kermesse # movable feast; never the coming Thursday
Messe de Noël 24 décembre 18h → 2026-12-24 | 18:00 | | Messe de Noël # the date is written
? Repas jour de l'An 12h → 2027-01-01 | 12:00 | | Repas # named day
Vide-grenier 1er ou 2 mai → | | | Vide-grenier 1er ou 2 mai # two proposals
Thé dansant dim à 15 heures → 2026-11-29 | 15:00 | | Thé dansant # ordinary
Départ bus sam 6h45 place du Marché → 2026-11-28 | 06:45 | | Départ bus place du Marché # early as written
AG sam 28 à 10h → 2026-11-28 | 10:00 | | AG # weekday and day of the month agree
AG sam 29 à 10h → | 10:00 | | AG sam 29 # the 29th is a Sunday
? Réunion semaine 50 jeudi 18h → 2026-12-10 | 18:00 | | Réunion # ISO week
Tournoi 12 équipes sam 12 déc 9h → 2026-12-12 | 09:00 | | Tournoi 12 équipes # 12 teams
Après-demain réunion 18h → 2026-11-27 | 18:00 | | réunion # the day comes first
Travaux demain matin 8h30 → 2026-11-26 | 08:30 | | Travaux # the part of the day agrees
Entraînement lun mer ven 18h → | 18:00 | | Entraînement lun mer ven # three days
Concert vendredi 4/12 à 20h30 salle des fêtes → 2026-12-04 | 20:30 | | Concert salle des fêtes # weekday and date agree
Repas sam 5 déc à midi → 2026-12-05 | 12:00 | | Repas # noon
? Ciné mardi 20 heures trente → 2026-12-01 | 20:30 | | Ciné # 20:00 with "trente" left over is wrong
Entraînement du lundi au vendredi 18h → | 18:00 | | Entraînement du lundi au vendredi # five evenings
Course 5 km dim 13 décembre 10h départ 10h30 → 2026-12-13 | 10:00 | | Course 5 km départ 10h30 # the time beside the day
Soirée jeux sam dès 19h → 2026-11-28 | 19:00 | | Soirée jeux # from 19:00 on
Réunion mardi à 8h du soir → 2026-12-01 | 20:00 | | Réunion # the part of the day decides
Réunion mardi de 8h à 10h du soir → 2026-12-01 | 20:00 | 22:00 | Réunion # for both ends
Réunion demain à vingt et une heures → 2026-11-26 | 21:00 | | Réunion # hours in words are no place
Match le 5 à 15h → | 15:00 | | Match le 5 # 5 is a day
Réunion samedi d'après 10h → | 10:00 | | Réunion samedi d'après # words behind the day
Deux heures de vélo samedi → 2026-11-28 | | | Deux heures de vélo # a duration
3h de roller samedi → 2026-11-28 | | | 3h de roller # a duration`,
  nl: `
Training di 19:00 sporthal → 2026-12-01 | 19:00 | | Training sporthal # plain form
? repetitie do half acht → 2026-11-26 | 19:30 | | repetitie # a rehearsal: 19:30; the date must be taken, 'half acht' may stay visible; 08:30/20:30 are wrong, 07:30 not meant
Vergadering ma 30/11 kwart voor acht 's avonds → 2026-11-30 | 19:45 | | Vergadering # 's avonds settles the hour; 20:15 and 07:45 are wrong
Bestuur morgenavond half negen → 2026-11-26 | 20:30 | | Bestuur # 'avond' settles the hour; 21:30 is wrong
kantinedienst overmorgen 20u → 2026-11-27 | 20:00 | | kantinedienst # Belgian 20u; 'morgen' inside is not tomorrow
Feest volgende week zaterdag 20u30 → 2026-12-05 | 20:30 | | Feest # Saturday of next week; 28 Nov is wrong
? Quiz zaterdag over een week 20u → 2026-12-05 | 20:00 | | Quiz # coming Saturday plus a week; 28 Nov and 2 Dec are wrong
? Kamp 3 t/m 5 juli Ardennen → 2027-07-03 | | 2027-07-05 | Kamp Ardennen # range of days: first day with the range left visible, or ask; 5 July alone is wrong
Training di en do 18:30 → | 18:30 | | Training di en do # two days: ask, both visible
? ALV eerste maandag van december 20.00 uur → 2026-12-07 | 20:00 | | ALV # ordinal weekday; 30 Nov is wrong
? week 49 di schoonmaak 19:00 → 2026-12-01 | 19:00 | | schoonmaak # ISO week 49 is next week
? Wandeling tweede kerstdag 13:30 → 2026-12-26 | 13:30 | | Wandeling # named day, luxury
Nieuwjaarsreceptie zo 3-1 15:00-17:00 → 2027-01-03 | 15:00 | 17:00 | Nieuwjaarsreceptie # Dutch date with hyphen, then a range of time
Klaverjassen do 10-12 19:30 → 2026-12-10 | 19:30 | | Klaverjassen # 10-12 is 10 December, a Thursday, and a time is given: not 10 to 12 o'clock
? open training za 10-12 → 2026-11-28 | 10:00 | 12:00 | open training # 10 December is a Thursday, so 10 to 12 o'clock on Saturday, or ask; 10 December is wrong
Zo doen we dat: info-avond vr 4 dec 20u → 2026-12-04 | 20:00 | | Zo doen we dat: info-avond # 'Zo' is no Sunday
Afscheid Jan vr 18 dec 17:00 → 2026-12-18 | 17:00 | | Afscheid Jan # Jan is a person
Ma's verjaardag za 12/12 15u → 2026-12-12 | 15:00 | | Ma's verjaardag # 'Ma' is Mum
Mei-tocht zo 2 mei 9u → 2027-05-02 | 09:00 | | Mei-tocht # first Mei belongs to the name
1/8 finale beker wo 9 dec 20u veld 3 → 2026-12-09 | 20:00 | | 1/8 finale beker veld 3 # 1/8 is no 1 August
U15 - KV Mechelen za 28/11 14u → 2026-11-28 | 14:00 | | U15 - KV Mechelen # Belgian
2e elftal zo 14:00 uit → 2026-11-29 | 14:00 | | 2e elftal uit # 2e is a team
Kookavond 31 juni 18u → | 18:00 | | Kookavond 31 juni # no such day: ask
Bijeenkomst 29 feb 19:00 → | 19:00 | | Bijeenkomst 29 feb # 2027 has no 29 Feb; nobody means 2028: ask, never 1 March
Vanavond spelersraad 20:00 → 2026-11-25 | 20:00 | | spelersraad # today
elke woensdag walking football 10u → 2026-12-02 | 10:00 | | walking football # repetition
volgende zaterdag toernooi 9u30 → | 09:30 | | volgende zaterdag toernooi # 28 Nov or 5 Dec: ask
komende za bardienst 14 uur → 2026-11-28 | 14:00 | | bardienst # 'komende' has one reading
? Jeugdraad over 14 dagen 19:00 → 2026-12-09 | 19:00 | | Jeugdraad # 14 days; 14 is neither a day of the month nor 14:00
Oudejaarsfuif do 31 dec 21u tot 3u → 2026-12-31 | 21:00 | 03:00 | Oudejaarsfuif # Belgian, end after midnight
Loop 10 km zo 18 april 10:30 startnr 7 → 2027-04-18 | 10:30 | | Loop 10 km startnr 7 # 10 km and 7 are no dates
Eetfestijn zo 7 feb 11u30 - 14u30 € 17,50 → 2027-02-07 | 11:30 | 14:30 | Eetfestijn € 17,50 # Belgian; the price is no time
Bel zaalwacht 0478 12 34 56 ma → 2026-11-30 | | | Bel zaalwacht 0478 12 34 56 # phone number is no date or time
Nachtdropping zo 31 okt 2:30 → 2027-10-31 | 02:30 | | Nachtdropping # hour that comes twice: clock time as typed
? Hemelvaart dauwtrappen 5:30 → 2027-05-06 | 05:30 | | dauwtrappen # movable feast, luxury
? Ledenvergadering 3/4/2027 20u → 2027-04-03 | 20:00 | | Ledenvergadering # in Dutch only day/month; March 4 is wrong
? Do it yourself workshop za 13u zaal 2 → 2026-11-28 | 13:00 | | Do it yourself workshop zaal 2 # 'Do' is English here; two candidates may be asked, Thursday is wrong
Koningsdag vrijmarkt 27 april 8:00-16:00 → 2027-04-27 | 08:00 | 16:00 | Koningsdag vrijmarkt # the date is written; Koningsdag may stay in the name
ma 7 of di 8 dec scheidsrechtersavond → | | | ma 7 of di 8 dec scheidsrechtersavond # two proposals: ask, both visible
training do anderhalf uur 19:00 → 2026-11-26 | 19:00 | | training anderhalf uur # a duration stays visible (end 20:30 in the note also passes); it is no 'half uur'
Oefenen ma kwart over zeven → 2026-11-30 | 19:15 | | Oefenen # spoken quarter
? Ontbijt zo half tien → 2026-11-29 | 09:30 | | Ontbijt # morning or evening
Start za half negen 's ochtends → 2026-11-28 | 08:30 | | Start # the part of the day decides
? Koor di tien voor half acht → 2026-12-01 | 19:20 | | Koor # 19:30 with "tien voor" left over is wrong
Training do 19-20:30 uur → 2026-11-26 | 19:00 | 20:30 | Training # range of hours
Kamp vr 2 juli t/m zo 4 juli → 2027-07-02 | | 2027-07-04 | Kamp # several days
Vergadering laatste vrijdag van januari 20u → 2027-01-29 | 20:00 | | Vergadering # ordinal weekday
Bridge om de week di 19:30 → 2026-12-01 | 19:30 | | Bridge # repetition
Bridge dinsdags 19:30 → 2026-12-01 | 19:30 | | Bridge # repetition
Klussen zaterdag over 14 dagen 9u → 2026-12-12 | 09:00 | | Klussen # two weeks after the coming Saturday
Wedstrijd van za naar zo verplaatst 14u → | 14:00 | | Wedstrijd van za naar zo verplaatst # a move is no range
Inschrijven tot vr 4 dec → | | | Inschrijven tot vr 4 dec # a deadline
Inschrijven vóór 4 december → | | | Inschrijven vóór 4 december # a deadline
Training do in plaats van di 19u → | 19:00 | | Training do in plaats van di # the day beside the time is the wrong one
Dicht behalve za 5 dec → | | | Dicht behalve za 5 dec # exception
? Borrel tweede paasdag 15u → 2027-03-29 | 15:00 | | Borrel # movable feast
? Toernooi tweede pinksterdag 10u → 2027-05-17 | 10:00 | | Toernooi # movable feast
? Feest Koningsdag 12u → 2027-04-27 | 12:00 | | Feest # named day
? Oliebollen oudejaarsavond 20u → 2026-12-31 | 20:00 | | Oliebollen # named day
? Duik nieuwjaarsdag 12u → 2027-01-01 | 12:00 | | Duik # named day
Loop 1 of 2 mei → | | | Loop 1 of 2 mei # two proposals
Training ma/wo 18:30 → | 18:30 | | Training ma/wo # two days
Bus vertrekt za 6.45 uur → 2026-11-28 | 06:45 | | Bus vertrekt # early as written
Etentje za 28 om 18u → 2026-11-28 | 18:00 | | Etentje # weekday and day of the month agree
Etentje za 29 om 18u → | 18:00 | | Etentje za 29 # the 29th is a Sunday
? Training week 50 do 18u → 2026-12-10 | 18:00 | | Training # ISO week
Bingo volgende week do 20u → 2026-12-03 | 20:00 | | Bingo # Thursday of next week
Bingo aanstaande do 20u → 2026-11-26 | 20:00 | | Bingo # one reading
Vrijdagavond darten 20u → 2026-11-27 | 20:00 | | darten # the day comes first
Vanmiddag inloop 14u → 2026-11-25 | 14:00 | | inloop # today
Team 2 - Team 3 zo 10:30 → 2026-11-29 | 10:30 | | Team 2 - Team 3 # teams
Schaken ma t/m vr 19u → | 19:00 | | Schaken ma t/m vr # five evenings
? Etappe 3/4 za 10u → 2026-11-28 | 10:00 | | Etappe 3/4 # a stage
Weekend 5-7 juni → 2027-06-05 | | 2027-06-07 | Weekend # several days
BBQ za 5 dec 17u-open einde → 2026-12-05 | 17:00 | | BBQ open einde # an open end stays
Opening 1-1 12u → 2027-01-01 | 12:00 | | Opening # a date with a hyphen
Kamp van 3 tot en met 5 juli → 2027-07-03 | | 2027-07-05 | Kamp # several days
Training van 19 tot en met 21 uur di → 2026-12-01 | 19:00 | 21:00 | Training # range of hours
Overleg vr tien over half acht → 2026-11-27 | 19:40 | | Overleg # spoken minutes
Inschrijven uiterlijk vr 4 dec → | | | Inschrijven uiterlijk vr 4 dec # a deadline
Overleg volgende week di of wo → | | | Overleg volgende week di of wo # two proposals
Twee uur fietsen za → 2026-11-28 | | | Twee uur fietsen # a duration
3 uur schaatsen za → 2026-11-28 | | | 3 uur schaatsen # a duration`,
} as const;
