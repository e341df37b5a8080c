import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Finished } from './command.ts';
import { lacking, type Need, skipWithReason } from './place.ts';

/** Inline code that is a command or a statement, such as in a numbered step. */
const command = /^(sudo|club-events|pg_\w+) |;$/;

/** Opens a document, of which a test takes the commands and settings that it runs. */
export function openDocument(path: string) {
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const block = /^```(\w*)\n([\s\S]*?)^```$/gm;
  const blocks = [...text.matchAll(block)].flatMap(([, language, code = '']) =>
    language === 'sh' ? code.trim().split('\n') : [code],
  );
  const inline = [...text.replaceAll(block, '').matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => command.test(code));
  const all = new Set([...blocks, ...inline]);
  const rest = new Set(all);
  return {
    text,
    /** Returns the only code that a pattern matches. */
    take(pattern: RegExp): string {
      const [found = '', ...others] = [...all].filter((code) => pattern.test(code));
      if (found === '' || others.length > 0)
        throw new Error(`${path} has not one command ${pattern}, but: ${[found, ...others]}`);
      rest.delete(found);
      return found;
    },
    /** Returns the code that nobody has taken. */
    rest: () => [...rest],
  };
}

/** A machine of the document: servers of PostgreSQL, nodes, the proxy and two homes. */
export type Machine = 'db1' | 'db2' | 'node1' | 'node2' | 'proxy' | 'home1' | 'home2';

/** Machines on which the commands of the document run. */
export type Lab = {
  /** Replaces what the document has as an example, as far as this lab has something else. */
  fill(text: string): string;
  /** Sets the variables of all machines. */
  setVariables(lines: string): void;
  /** Runs a line of shell to its end. */
  run(machine: Machine, line: string): Promise<Finished>;
  /** Starts a line of shell; `stop` sends SIGTERM and returns the exit status. */
  start(machine: Machine, line: string): { output(): string; stop(): Promise<number | null> };
  /** Makes an empty PostgreSQL with lines of its two files, and starts it. */
  createServer(machine: Machine, access: string, settings: string): Promise<void>;
  /** Makes a running replica of `db1` on `db2`, by the command if its program is there. */
  createReplica(command: string): Promise<void>;
  startServer(machine: Machine): Promise<void>;
  stopServer(machine: Machine): Promise<void>;
  /** Runs statements as the superuser. */
  query(machine: Machine, database: string, sql: string): Promise<unknown>;
  /** Starts a node, in place of the one that runs there. */
  startNode(machine: Machine, settings: string): Promise<void>;
  /** Ends everything on the machine of a node at once, and deletes its data. */
  lose(machine: Machine): Promise<void>;
  startProxy(caddyfile: string): Promise<void>;
  /** The reason for which the programs of PostgreSQL, or Caddy, are not there. */
  readonly lacks: { readonly programs?: string | undefined; readonly caddy?: string | undefined };
  close(): Promise<void>;
};

/**
 * Runs every command of "On several machines" in a lab, which is opened if the machine has what it needs.
 * The tests follow one another.
 */
export function testRunbook(needs: readonly Need[], open: () => Promise<Lab>): void {
  const page = openDocument('server/hub/on-several-machines.md');
  const hub = openDocument('server/hub/README.md');
  const access = page.take(/^hostssl/);
  const settings = page.take(/^listen_addresses/);
  const variables = page.take(/^PGHOST=/);
  const node = page.take(/^OPTIONS=/);
  const database = page.take(/^CREATE DATABASE/);
  const roles = hub.take(/^CREATE ROLE/);
  const homes = { home1: 'Chess Club', home2: 'Rowing Club' } as const;
  const nodes = ['node1', 'node2'] as const;
  const keys: Record<keyof typeof homes, string> = { home1: '', home2: '' };
  let lab: Lab;

  beforeAll(async () => {
    if (needs.every((need) => lacking(need) === undefined)) lab = await open();
  });
  afterAll(() => lab?.close());

  /** Runs a command to its end, and returns its output. */
  async function run(machine: Machine, line: string, status = 0): Promise<string> {
    const ended = await lab.run(machine, lab.fill(line));
    const output = `${ended.stdout}${ended.stderr}`;
    expect(ended.status, `${line}\n${output}`).toBe(status);
    return output;
  }
  const poll = (line: string, machine: Machine = 'home1') =>
    expect.poll(async () => {
      const { status, stdout, stderr } = await lab.run(machine, lab.fill(line));
      return `${status} ${stdout}${stderr}`;
    });
  const site = 'https://events.example.org';
  const curl = (url: string, key: string) =>
    `curl --silent --show-error --write-out '\\n%{http_code}' --header 'Authorization: Bearer ${key}' --header 'Host: ${new URL(lab.fill(site)).host}' ${url}/v1/events`;
  const nodeUrl = (machine: string) => `http://${machine}:28470`;
  /** Waits until both nodes answer the same, with a status and a text. */
  async function pollNodes(key: string, status: number, body = /^/): Promise<void> {
    const expected = new RegExp(`${body.source}[\\s\\S]*\\n${status}$`);
    const read = (node: Machine) => lab.run('home2', lab.fill(curl(nodeUrl(node), key)));
    const answers = async () =>
      new Set((await Promise.all(nodes.map(read))).map(({ stdout }) => stdout));
    await expect
      .poll(async () => [...(await answers())])
      .toEqual([expect.stringMatching(expected)]);
  }
  const push = page.take(/hub push .*--every/);
  const pushOnce = push.replace(/ --every \S+$/, '');

  it('sets up two servers that want TLS and passwords, and the record', async () => {
    lab.setVariables(lab.fill(variables));
    await lab.createServer('db1', lab.fill(access), lab.fill(settings));
    for (const statement of database.trim().split('\n'))
      await lab.query('db1', 'postgres', lab.fill(statement));
    await lab.query('db1', 'postgres', lab.fill(roles));
    await lab.createReplica(page.take(/^pg_basebackup/));
    await run('home1', hub.take(/^club-events hub init$/));
    await lab.query('db1', 'events', hub.take(/^GRANT USAGE/));
    const refused = await run('home1', 'PGSSLMODE=disable club-events hub init', 1);
    expect(refused).toMatch(/refused the login: no pg_hba\.conf entry .* no encryption/);
  });

  it('pushes clubs and keys of two homes, again and again until a signal', async () => {
    for (const [home, club] of Object.entries(homes) as [keyof typeof homes, string][]) {
      await run(home, `club-events user add "${club}"`);
      await run(home, `club-events import /srv/season.csv --user "${club}"`);
      const created = await run(home, `club-events key create --user "${club}"`);
      keys[home] = /^ce_\w+$/m.exec(created)?.[0] ?? '';
    }
    const repeated = lab.start('home1', lab.fill(push.replace(/30s$/, '1s')));
    await expect.poll(repeated.output).toMatch(/^Chess Club +1 +24 .* 1 +pushed$/m);
    await run('home1', 'club-events event cancel 1 --user "Chess Club"');
    await expect.poll(repeated.output).toMatch(/^Chess Club +2 +0 +1 /m);
    expect(await repeated.stop()).toBe(0);
    expect(await run('home2', pushOnce)).toMatch(/^Rowing Club +3 +24 .* 1 +pushed$/m);
  });

  it('answers by two nodes, which are watched', async () => {
    for (const machine of nodes) await lab.startNode(machine, node);
    await pollNodes(keys.home1, 200);
    await pollNodes(keys.home2, 200);
    expect(await run('node1', page.take(/^curl .*ready/))).toMatch(/\{"ready":true,"number":3,/);
    await poll(page.take(/^club-events hub status$/)).toMatch(
      /^0 [\s\S]*primary +3 +1[\s\S]*replica +3 +1 [\s\S]*(\/\d+ .* none[\s\S]*){2}$/,
    );
    const metrics = await run('node1', 'curl --silent http://10.0.0.11:9100/metrics');
    const names = page.text.match(/^\| `club_events_\w+/gm) ?? [];
    expect(names).toHaveLength(5);
    for (const name of names) expect(metrics).toContain(`\n${name.slice(3)} `);
    await lab.stopServer('db2');
    await run('home1', 'club-events hub status', 1);
    await lab.startServer('db2');
    await poll('club-events hub status').toMatch(/^0 /);
  });

  it('answers through the proxy while a node is lost and replaced', async (context) => {
    const caddyfile = page.take(/reverse_proxy/);
    if (lab.lacks.caddy !== undefined) skipWithReason(context, lab.lacks.caddy);
    await lab.startProxy(lab.fill(caddyfile));
    await poll(curl(site, keys.home1), 'home2').toMatch(/^0 [\s\S]*\n200$/);
    await lab.lose('node1');
    for (let request = 0; request < 10; request += 1)
      expect(await run('home2', curl(site, keys.home2))).toMatch(/\n200$/);
    await lab.startNode('node1', node);
    await pollNodes(keys.home1, 200);
  });

  it('needs no new grants for new tables, and no migration of the same version', async () => {
    await lab.query('db1', 'events', page.take(/^ALTER DEFAULT PRIVILEGES/));
    const create = 'SET ROLE club_events_push; CREATE TABLE club_events.later (id integer)';
    await lab.query('db1', 'events', create);
    await lab.query('db1', 'events', 'SET ROLE club_events_node; TABLE club_events.later');
    await lab.query('db1', 'events', 'DROP TABLE club_events.later');
    expect(await run('home1', page.take(/^club-events hub init$/))).toContain('is up to date');
  });

  const dump = page.take(/^pg_dump/);
  const restore = page.take(/^pg_restore/);
  const revoke = page.take(/hub key revoke/);
  const cancel = (id: number) => run('home1', `club-events event cancel ${id} --user "Chess Club"`);
  const cancelled = (id: number) => new RegExp(`"id":${id},[^}]*"cancelled"`);

  /** Pushes a refused club with the command that its push names. */
  async function pushAgain(): Promise<void> {
    const said = await run('home1', 'club-events hub push --user "Chess Club"', 1);
    await run('home1', `${/club-events hub push .*--onto \S+/.exec(said)?.[0]}`);
  }

  it('goes back to a dump, of which nodes and homes say what it lacks', async (context) => {
    if (lab.lacks.programs !== undefined) skipWithReason(context, lab.lacks.programs);
    const created = await run('home2', 'club-events hub key create --user "Rowing Club"');
    const [key = '', id = ''] = [/^ce_\w+$/m, /(?<=^Key )\d+/m].map(
      (pattern) => pattern.exec(created)?.[0],
    );
    await run('home1', dump);
    await run('home2', `club-events hub key revoke ${id}`);
    await cancel(2);
    await run('home1', pushOnce);
    await pollNodes(keys.home1, 200, cancelled(2));
    await run('home1', restore);
    for (const machine of nodes)
      await poll('cat "$CLUB_EVENTS_HOME/logs/service.log"', machine).toMatch(/record forgot/);
    expect(await run('home1', pushOnce, 1)).toMatch(/^Chess Club .* refused: lost$/m);
    await pushAgain();
    await run('home1', pushOnce);
    await pollNodes(keys.home1, 200, cancelled(2));
    await pollNodes(key, 200);
    await run('home2', revoke.replace('ID', id));
    await pollNodes(key, 401);
  });

  it('fails over by hand, and refuses the former primary', async () => {
    expect(page.take(/^sudo systemctl/)).toContain('disable --now postgresql');
    await lab.stopServer('db1');
    await lab.query('db2', 'postgres', page.take(/pg_promote/));
    await cancel(3);
    await poll(pushOnce).toMatch(/^0 /);
    await pollNodes(keys.home1, 200, cancelled(3));
    await lab.startServer('db1');
    const status = await run('home1', 'club-events hub status', 1);
    expect(status).toMatch(/^\S+ +former primary/m);
    await cancel(4);
    await run('home1', pushOnce);
    await pollNodes(keys.home1, 200, cancelled(4));
    await lab.stopServer('db1');
  });

  it('goes on with a new server, once a person accepts it', async (context) => {
    const accepted = page.take(/hub push .*--accept-record$/);
    if (lab.lacks.programs !== undefined) skipWithReason(context, lab.lacks.programs);
    await lab.stopServer('db2');
    await lab.createServer('db1', lab.fill(access), lab.fill(settings));
    for (const statement of database.trim().split('\n'))
      await lab.query('db1', 'postgres', lab.fill(statement));
    await lab.query('db1', 'postgres', lab.fill(roles));
    await run('home1', restore);
    expect(await run('home1', pushOnce, 1)).toMatch(/is not the record any more.*--accept-record/);
    for (const machine of nodes)
      await lab.startNode(machine, node.replace(/$/m, ' --accept-record'));
    expect(await run('home1', accepted, 1)).toMatch(/^Chess Club .* refused: lost$/m);
    await pushAgain();
    await run('home2', accepted);
    await run('home2', pushOnce);
    for (const machine of nodes) await lab.startNode(machine, node);
    await pollNodes(keys.home1, 200, cancelled(4));
  });

  it('lets a club leave', async () => {
    const said = await run('home1', page.take(/hub remove .*Club"$/), 1);
    expect(said).toMatch(/^This removes "Chess Club" .*\(24\).*\(1\)/);
    await run('home1', page.take(/hub remove .*--confirm$/));
    await pollNodes(keys.home1, 401);
    expect(await run('home1', pushOnce, 1)).toMatch(/^Chess Club .* refused: removed$/m);
    await run('home1', 'club-events hub push --user "Chess Club" --onto none --keys');
    await pollNodes(keys.home1, 200);
    await run('home1', page.take(/hub remove .*--confirm$/));
    await run('home1', page.take(/user remove/));
    await run('home1', pushOnce);
  });

  it('runs every command of the page but those of systemd', () => {
    expect(page.rest()).toEqual([]);
  });
}
