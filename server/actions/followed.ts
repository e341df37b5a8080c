import { eventTypes } from '../../db/model.ts';
import { action, change, read, restartable } from './action.ts';
import { type CommandOption, idOf, optionalUser, toId, user } from './options.ts';

/** The beginning of an address of the web; any other text is a file or a folder. */
const webForm = /^(?:https?|webcals?):/i;

const readings = () => import('../follow/readings.ts');
const listed = () => import('../follow/listed.ts');
const answers = () => import('../follow/answers.ts');

const readOperand = idOf('follow_id_invalid');

const ids = (given: unknown) =>
  (given as readonly string[]).map((text) => toId(text, 'event_id_invalid'));

/** The options that say what the events of a calendar are. */
const rules: readonly CommandOption[] = [
  { flag: '--name <text>', help: 'a name for the calendar (default: its own)' },
  {
    flag: '--type <type>',
    help: 'the type of its events without one (default: none)',
    values: [...eventTypes, 'none'],
    as: 'eventType',
    read: (given) => (given === 'none' ? null : given),
  },
  { flag: '--place <text>', help: 'the place of its events without one' },
  { flag: '--prefix <text>', help: 'a text before each name, such as "U15: "' },
  {
    flag: '--words <words>',
    help: 'only events whose names contain one of these, with commas between them',
  },
  { flag: '--without <words>', help: 'leave out events whose names contain one of these' },
];

const onlyLook: CommandOption = {
  flag: '--only-look',
  help: 'show its events beside those of the club, and never in files, messages or the interface',
};

/** Actions on calendars that a club follows at an address. */
export const followActions = {
  'follow add': action(readings, (its) => [its.FollowAdd, its.addFollowed], {
    ...change,
    texts: { address: 'address', file: 'file' },
    operand: '<address>',
    readOperand: (text) => (webForm.test(String(text)) ? { address: text } : { file: text }),
    help: 'follow a calendar at an address, or in a file or folder; a service reads it every hour',
    examples: [
      'follow add https://league.example/rovers.ics --user "Chess Club" --dry-run',
      'follow add webcal://league.example/u15.ics --user "Chess Club" --prefix "U15: " --type regional',
    ],
    options: [
      user,
      ...rules,
      onlyLook,
      { flag: '--dry-run', help: 'store nothing; show what was found' },
    ],
  }),
  'follow list': action(listed, (its) => [its.FollowList, its.listFollowed], {
    ...read,
    help: 'list the followed calendars, when each was last read, and what they ask',
    options: [{ ...optionalUser, help: 'the club whose calendars are meant (default: all)' }],
  }),
  'follow looked': action(listed, (its) => [its.FollowLooked, its.listLooked], read),
  'follow now': action(readings, (its) => [its.FollowNow, its.readNow], {
    ...restartable,
    hasFailed: ({ calendars }) => calendars.some(({ failure }) => failure !== null),
    operand: '[id]',
    help: 'read one of the calendars now, or all of them, at most every ten minutes; status 1 if that failed',
    examples: ['follow now', 'follow now 2'],
    readOperand,
  }),
  'follow change': action(readings, (its) => [its.FollowChange, its.changeFollowed], {
    ...change,
    texts: { address: 'address', file: 'file' },
    operand: '<id>',
    help: 'change a followed calendar, and read it; what is left out stays as it is',
    examples: [
      'follow change 2 --place "Sports hall"',
      'follow change 2 --address https://league.example/new.ics',
      'follow change 2 --only-look',
    ],
    options: [
      { flag: '--address <address>', help: 'its new address' },
      { flag: '--file <file>', help: 'the file or folder in the place of an address' },
      ...rules,
      { ...onlyLook, help: `${onlyLook.help}; those to come leave the club` },
      { flag: '--no-only-look', help: 'make them events of the club again' },
    ],
    readOperand,
  }),
  'follow answer': action(answers, (its) => [its.FollowAnswer, its.answerFollowed], {
    ...change,
    operand: '<id>',
    help: 'answer what a calendar asks about events, by their numbers',
    examples: ['follow answer 2 --cancel 14 15', 'follow answer 2 --keep 14'],
    options: [
      {
        flag: '--cancel <event...>',
        help: 'events that are no longer in the calendar and do not take place',
        read: ids,
      },
      {
        flag: '--keep <event...>',
        help: 'events that take place all the same, or whose values stay as they are here',
        read: ids,
      },
      { flag: '--take <event...>', help: 'events that get the values of the calendar', read: ids },
      {
        flag: '--language <tag>',
        help: 'the language of the reason of a cancellation: en, de, fr or nl (default: en)',
      },
    ],
    readOperand,
  }),
  'follow remove': action(answers, (its) => [its.FollowRemove, its.removeFollowed], {
    ...change,
    operand: '<id>',
    help: 'stop to follow a calendar',
    examples: ['follow remove 2 --events keep'],
    options: [
      {
        flag: '--events <answer>',
        help: 'keep: its events stay, as those of the club; remove: those to come go, and past ones stay',
        values: ['keep', 'remove'],
      },
    ],
    readOperand,
  }),
  'follow tick': action(readings, (its) => [its.FollowTick, its.tickFollowed], restartable),
} as const;
