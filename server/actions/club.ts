import { type ClubNumber, clubNumbers, mapNumberCommands } from '../../db/club-settings.ts';
import { action, change, read } from './action.ts';
import { type Command, idOf, keyOptions, user } from './options.ts';

const demo = () => import('../club/demo.ts');
const keys = () => import('../club/key-actions.ts');
const users = () => import('../club/user-actions.ts');

/** Returns the command that changes a setting with a number. */
function numberCommand(setting: ClubNumber): Command {
  const { command, help, unit, initial } = clubNumbers[setting];
  return {
    operand: `<name> <${unit}>`,
    help,
    examples: [`${command} "Chess Club" ${initial}`],
    readOperand: (operands) => {
      const [name, value] = operands as readonly string[];
      return { name, value: Number(value) };
    },
  };
}

/** Actions on clubs and their keys. */
export const clubActions = {
  'user add': action(users, (its) => [its.AddUser, its.addUser], {
    ...change,
    operand: '<name>',
    help: 'add a club account',
    examples: ['user add "Chess Club"', 'user add "Chess Club" --zone Europe/Berlin'],
    options: [{ flag: '--zone <zone>', help: 'its time zone (default: that of this computer)' }],
  }),
  'user list': action(users, (its) => [its.ListUsers, its.listUsers], {
    ...read,
    help: 'list the club accounts',
  }),
  'user rename': action(users, (its) => [its.RenameUser, its.renameUser], {
    ...change,
    operand: '<name> <new>',
    help: 'rename a club account; its events, keys and calendars stay',
    examples: ['user rename "Ches Club" "Chess Club"'],
    readOperand: (names) => {
      const [name, newName] = names as readonly string[];
      return { name, newName };
    },
  }),
  'user zone': action(users, (its) => [its.SetUserZone, its.setUserZone], {
    ...change,
    operand: '<name> <zone>',
    help: 'change the time zone of a club account',
    examples: [
      'user zone "Chess Club" Europe/Berlin',
      'user zone "Chess Club" Europe/Berlin --times keep',
    ],
    options: [
      {
        flag: '--times <what>',
        help: 'keep: 19:00 stays 19:00; convert: the moment stays, so 19:00 is then another time (default)',
        values: ['keep', 'convert'],
      },
    ],
  }),
  ...mapNumberCommands((setting) =>
    action(users, (its) => its.numberAction(setting), { ...change, ...numberCommand(setting) }),
  ),
  'user assistant': action(users, (its) => [its.AllowAssistant, its.allowAssistant], {
    ...change,
    operand: '<name> <state>',
    help: 'let assistants propose changes of the events of a club (on), or not (off, the default)',
    examples: ['user assistant "Chess Club" on'],
    readOperand: (operands) => {
      const [name, propose] = operands as readonly string[];
      return { name, propose };
    },
  }),
  'user remove': action(users, (its) => [its.RemoveUser, its.removeUser], {
    ...change,
    forgetsKey: true,
    endsProposals: true,
    operand: '<name>',
    help: 'remove a club account with all its events and keys',
    examples: ['user remove "Chess Club"'],
  }),
  'demo add': action(demo, (its) => [its.AddDemo, its.addDemo], change),
  'key create': action(keys, (its) => [its.CreateKey, its.createKey], {
    ...change,
    help: 'create a key and print it, only this once',
    examples: [
      'key create --user "Chess Club" --label "notice board"',
      'key create --user "Chess Club" --expires 2026-12-31',
    ],
    options: [{ ...user, help: 'the club whose events the key opens' }, ...keyOptions],
  }),
  'key list': action(keys, (its) => [its.ListKeys, its.listKeys], {
    ...read,
    help: 'list labels and dates of the keys, but not the keys themselves',
  }),
  'key revoke': action(keys, (its) => [its.RevokeKey, its.revokeKey], {
    ...change,
    operand: '<id>',
    help: 'revoke a key; its next request is refused',
    examples: ['key revoke 2'],
    readOperand: idOf('key_id_invalid'),
  }),
} as const;
