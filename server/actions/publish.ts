import { filterTypes } from '../../db/model.ts';
import { action, change, read, restartable } from './action.ts';
import { idOf, optionalUser, user } from './options.ts';

const targets = () => import('../publish/target-actions.ts');
const published = () => import('../publish/publish-actions.ts');

const since = {
  flag: '--since <day>',
  help: 'the first day of the events; season: with the season before the present one (default for a calendar and a page); all',
};

/** Actions on files that are kept up to date. */
export const publishActions = {
  'publish add': action(targets, (its) => [its.AddPublished, its.addPublished], {
    ...change,
    texts: { output: 'output', url: 'webSpace', address: 'address', password: 'password' },
    help: 'keep a file up to date, in a folder or in a web space; reads the password of a web space from standard input',
    examples: [
      'publish add --user "Chess Club" --to ~/Nextcloud/club/dates.ics',
      'publish add --user "Chess Club" --to u15.html --team U15',
      'publish add --user "Chess Club" --dav https://cloud.example.org/remote.php/dav/files/maria/dates.ics --account maria < password.txt',
    ],
    options: [
      user,
      {
        flag: '--format <format>',
        help: 'ics (a calendar to subscribe to), html (a page for members) or json (a copy); default: by the name of the file',
        values: ['ics', 'html', 'json'],
      },
      {
        flag: '--to <file>',
        help: 'the file to write, such as one in a folder that you share',
        as: 'output',
      },
      {
        flag: '--dav <url>',
        help: 'the address of the file in a web space (WebDAV, https)',
        as: 'url',
      },
      { flag: '--account <name>', help: 'your name at the web space' },
      { flag: '--filter <words>', help: 'only events with these words', as: 'search' },
      {
        flag: '--type <type>',
        help: 'only events of this type; may be repeated',
        repeatable: true,
        values: filterTypes,
        as: 'types',
      },
      { flag: '--team <name>', help: 'only events of this team of the club' },
      since,
      { flag: '--drafts', help: 'also drafts; a copy of all events has them in any case' },
      { flag: '--language <tag>', help: 'the language of a page, such as de (default: en-GB)' },
      { flag: '--address <url>', help: 'the address at which members read the file' },
      {
        flag: '--on-sheets <answer>',
        help: 'no: the print view does not offer the code of the address (default: yes)',
        values: ['yes', 'no'],
        read: (text) => text === 'yes',
      },
      { flag: '--replace', help: 'replace a file that is there already' },
    ],
    readsInput: ({ dav }) => dav !== undefined,
  }),
  'publish change': action(targets, (its) => [its.ChangePublished, its.changePublished], {
    ...change,
    texts: { output: 'output', url: 'webSpace', address: 'address', password: 'password' },
    operand: '<id>',
    help: 'change a file that is kept up to date, and write it; what is left out stays as it is',
    examples: ['publish change 2 --address https://rovers.example/u15'],
    options: [
      {
        flag: '--address <url>',
        help: 'the address at which members read the file; "" for none',
      },
      {
        flag: '--on-sheets <answer>',
        help: 'no: the print view does not offer the code of the address',
        values: ['yes', 'no'],
        read: (text) => text === 'yes',
      },
      {
        flag: '--filter <words>',
        help: 'only events with these words; "" for all',
        as: 'search',
      },
      {
        flag: '--type <type>',
        help: 'only events of this type; may be repeated',
        repeatable: true,
        values: filterTypes,
        as: 'types',
      },
      { flag: '--team <name>', help: 'only events of this team; "" for all' },
      since,
      {
        flag: '--to <file>',
        help: 'another file; the present one stays where it is',
        as: 'output',
      },
      { flag: '--replace', help: 'replace a file that is there already' },
    ],
    // Only the window moves a file to another web space.
    readsInput: () => false,
    readOperand: idOf('publish_id_invalid'),
  }),
  'publish try': action(targets, (its) => [its.TryPublished, its.tryPublished], {
    ...restartable,
    texts: { url: 'webSpace', password: 'triedPassword' },
  }),
  'publish list': action(published, (its) => [its.ListPublished, its.listPublished], {
    ...read,
    help: 'list the files that are kept up to date, and when each was last written',
    options: [{ ...optionalUser, help: 'the club whose files are meant (default: all)' }],
  }),
  'publish preview': action(published, (its) => [its.PreviewPublished, its.previewPublished], read),
  'publish measure': action(published, (its) => [its.MeasurePublished, its.measurePublished], read),
  'publish now': action(published, (its) => [its.PublishNow, its.publishNow], {
    ...restartable,
    hasFailed: ({ files }) => files.some(({ state }) => state === 'failed'),
    operand: '[id]',
    help: 'write one of the files now, or all of them; status 1 if that failed',
    examples: ['publish now', 'publish now 2 --replace'],
    options: [{ flag: '--replace', help: 'replace a file that somebody else changed' }],
    readOperand: idOf('publish_id_invalid'),
  }),
  'publish password': action(
    published,
    (its) => [its.ChangePublishPassword, its.changePublishPassword],
    {
      ...change,
      texts: { password: 'password' },
      hasFailed: ({ files }) => files.some(({ state }) => state === 'failed'),
      operand: '<id>',
      help: 'change the password of a web space and write the file; reads it from standard input',
      examples: ['publish password 2 < password.txt'],
      readOperand: idOf('publish_id_invalid'),
    },
  ),
  'publish remove': action(published, (its) => [its.RemovePublished, its.removePublished], {
    ...change,
    forgetsKey: true,
    operand: '<id>',
    help: 'stop to keep a file up to date; the file stays where it is',
    examples: ['publish remove 2'],
    readOperand: idOf('publish_id_invalid'),
  }),
  'publish check': action(
    published,
    (its) => [its.CheckAddresses, its.checkAddresses],
    restartable,
  ),
  'publish tick': action(published, (its) => [its.TickPublished, its.tickPublished], restartable),
} as const;
