import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { facts, isDecided } from '../../server/messages/facts.ts';

/**
 * `npm run release STEP`, the steps that need more than a line of shell: `check` compares the tag
 * with the version of the project and asks for decided addresses, `build` makes the packages of this platform in `dist` as
 * `release.yml` does, and `package` those of the options behind it.
 */

const root = join(import.meta.dirname, '../..');

type Environment = Readonly<Record<string, string | undefined>>;

/** Options and environment for electron-builder, and whether the packages will be signed. */
type Signing = {
  readonly signed: boolean;
  readonly options: readonly string[];
  readonly env: Environment;
};

/** All architectures of a platform in one call: a second call would overwrite `latest.yml`. */
const targets: Readonly<Record<string, readonly string[]>> = {
  win32: ['--win', 'nsis', '--x64', '--arm64'],
  darwin: ['--mac', 'dmg', 'zip', '--arm64', '--x64'],
  linux: ['--linux', 'AppImage', 'deb', '--x64', '--arm64'],
};

const signingVariables = {
  windowsFile: ['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'],
  azureLogin: ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'],
  azureAccount: ['AZURE_ENDPOINT', 'AZURE_ACCOUNT', 'AZURE_PROFILE', 'AZURE_PUBLISHER'],
  macFile: ['MAC_CSC_LINK', 'MAC_CSC_KEY_PASSWORD'],
  notarization: ['APPLE_API_KEY_P8', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
} as const;

/** Reads a group of variables; undefined if none is set. Throws if only some are set. */
function readGroup(env: Environment, names: readonly string[]): string[] | undefined {
  const values = names.map((name) => env[name] ?? '');
  if (values.every((value) => value === '')) return undefined;
  const missing = names.filter((_, index) => values[index] === '');
  if (missing.length === 0) return values;
  throw new Error(`Set ${names.join(', ')} together; ${missing.join(', ')} is missing.`);
}

/** An option that fails the build, instead of leaving packages unsigned. */
const forced = '-c.forceCodeSigning=true';
const unsigned: Signing = { signed: false, options: [], env: {} };

function signWindows(env: Environment): Signing {
  if (env['CSC_LINK']) {
    throw new Error(
      'Use WIN_CSC_LINK for Windows: updates would be compared with the publisher of CSC_LINK.',
    );
  }
  const file = readGroup(env, signingVariables.windowsFile);
  const { azureLogin, azureAccount } = signingVariables;
  const azure = readGroup(env, [...azureLogin, ...azureAccount]);
  if (file !== undefined && azure !== undefined) {
    throw new Error('Set either WIN_CSC_LINK or the AZURE_… variables, not both.');
  }
  if (file !== undefined) {
    const [link, password] = file;
    return {
      signed: true,
      options: [forced],
      env: { WIN_CSC_LINK: link, WIN_CSC_KEY_PASSWORD: password },
    };
  }
  if (azure === undefined) return unsigned;
  const [endpoint, account, profile, publisher] = azure.slice(azureLogin.length);
  const prefix = '-c.win.azureSignOptions';
  return {
    signed: true,
    options: [
      forced,
      `${prefix}.endpoint=${endpoint}`,
      `${prefix}.codeSigningAccountName=${account}`,
      `${prefix}.certificateProfileName=${profile}`,
      // The common name of the certificate, exactly, or the next update is refused.
      `${prefix}.publisherName=${publisher}`,
    ],
    env: Object.fromEntries(azureLogin.map((name) => [name, env[name]])),
  };
}

function signMac(env: Environment, folder: string): Signing {
  const file = readGroup(env, signingVariables.macFile);
  const notarization = readGroup(env, signingVariables.notarization);
  if (file === undefined) {
    if (notarization !== undefined) throw new Error('Notarization needs MAC_CSC_LINK, too.');
    // macOS on Apple silicon starts only signed programs, for which an ad-hoc signature is enough.
    const options = ['-c.mac.identity=-', '-c.mac.hardenedRuntime=false'];
    return { signed: false, options, env: {} };
  }
  const [link, password] = file;
  const certificate = { CSC_LINK: link, CSC_KEY_PASSWORD: password };
  if (notarization === undefined) return { signed: true, options: [forced], env: certificate };
  const [key = '', id, issuer] = notarization;
  const path = join(folder, 'notarization.p8');
  writeFileSync(path, key, { mode: 0o600 });
  return {
    signed: true,
    options: [forced],
    env: { ...certificate, APPLE_API_KEY: path, APPLE_API_KEY_ID: id, APPLE_API_ISSUER: issuer },
  };
}

/**
 * Chooses the signing of a platform by the secrets that are set. Throws if they are incomplete.
 * A key file for notarization is written into `folder`.
 */
export function chooseSigning(platform: string, env: Environment, folder: string): Signing {
  if (platform === 'win32') return signWindows(env);
  return platform === 'darwin' ? signMac(env, folder) : unsigned;
}

/** Returns options that name the releases of this repository, for updates. */
export function publishOptions(platform: string, signed: boolean, env: Environment): string[] {
  const [owner, repo] = (env['GITHUB_REPOSITORY'] ?? '').split('/');
  if (!owner || !repo) throw new Error('GITHUB_REPOSITORY does not name a repository.');
  // macOS refuses every update of a program that is not signed.
  if (platform === 'darwin' && !signed) return [];
  return ['-c.publish.provider=github', `-c.publish.owner=${owner}`, `-c.publish.repo=${repo}`];
}

/** Returns the options of electron-builder for all packages of a platform. */
export function releaseOptions(platform: string, signing: Signing, env: Environment): string[] {
  return [
    ...(targets[platform] ?? []),
    ...publishOptions(platform, signing.signed, env),
    ...signing.options,
  ];
}

/** Returns the environment without secrets and without other variables that name certificates. */
export function withoutSecrets(env: Environment): Environment {
  const secrets = new Set<string>(Object.values(signingVariables).flat());
  const others = Object.entries(env).filter(
    ([name]) => !secrets.has(name) && !/^(CSC_|WIN_CSC_|APPLE_)/.test(name),
  );
  return Object.fromEntries(others);
}

/** Throws unless a tag is `v` followed by the version of the project. */
export function checkTag(tag: string, version: string): void {
  // Updates ignore versions of any other form.
  if (!/^v\d+\.\d+\.\d+$/.test(tag)) throw new Error(`The tag ${tag} is not of the form v1.2.3.`);
  if (tag !== `v${version}`) {
    throw new Error(`The tag ${tag} does not match version ${version} in package.json.`);
  }
}

/** Throws if an address is undecided: users and their systems would remember the wrong one. */
export function checkFacts(all: Readonly<Record<string, string>>): void {
  const { uidDomain: _, ...addresses } = all;
  const names = Object.keys(addresses).filter((name) => !isDecided(addresses[name] ?? ''));
  if (names.length === 0) return;
  throw new Error(
    `Decide in server/messages/facts.ts before the first release: ${names.join(', ')}.`,
  );
}

const platformNames: Readonly<Record<string, string>> = { win32: 'Windows', darwin: 'macOS' };

/** Returns a sentence for the release notes on whether the packages are signed; empty for Linux. */
export function describeSigning(platform: string, { signed, env }: Signing): string {
  const name = platformNames[platform];
  // Packages for Linux have no signature that a system would check.
  if (name === undefined) return '';
  if (!signed)
    return `The packages for ${name} are not signed: see "Install" in electron/README.md.\n`;
  const notarized = 'APPLE_API_KEY' in env ? ' and notarized' : '';
  return `The packages for ${name} are signed${notarized}.\n`;
}

function setOutputs({ signed, env }: Signing): void {
  const path = process.env['GITHUB_OUTPUT'];
  if (path) appendFileSync(path, `signed=${signed}\nnotarized=${'APPLE_API_KEY' in env}\n`);
}

/** Errors of Node.js for a network that is missing or that reaches only some hosts. */
const offline = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT)\b/;

const offlineNotice =
  'electron-builder could not download Electron’s runtime or its tools, about 200 MB at the first use. Connect to the internet, or set ELECTRON_MIRROR and ELECTRON_BUILDER_BINARIES_MIRROR, and run it again.\n';

/** Runs electron-builder without publishing, and returns its exit status. */
async function runBuilder(args: readonly string[], env: Environment): Promise<number> {
  const command = createRequire(import.meta.url).resolve('electron-builder/cli.js');
  const builder = spawn(process.execPath, [command, ...args, '--publish=never'], {
    cwd: root,
    env,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  let output = '';
  builder.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const [status] = (await once(builder, 'close')) as [number | null];
  if (status !== 0 && offline.test(output)) process.stderr.write(offlineNotice);
  return status ?? 1;
}

/** Builds the packages of this platform in `dist`. Returns the exit status of electron-builder. */
async function build(): Promise<number> {
  const { platform } = process;
  const folder = mkdtempSync(join(tmpdir(), 'club-events-release-'));
  try {
    const signing = chooseSigning(platform, process.env, folder);
    const args = releaseOptions(platform, signing, process.env);
    const status = await runBuilder(args, { ...withoutSecrets(process.env), ...signing.env });
    setOutputs(signing);
    writeFileSync(
      join(root, 'dist', `signing-${platform}.txt`),
      describeSigning(platform, signing),
    );
    return status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readVersion(): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}

if (import.meta.main) {
  try {
    const [step, ...options] = process.argv.slice(2);
    if (step === 'check') {
      checkTag(process.env['GITHUB_REF_NAME'] ?? '', readVersion());
      checkFacts(facts);
    } else if (step === 'build') process.exitCode = await build();
    else if (step === 'package') process.exitCode = await runBuilder(options, process.env);
    else throw new Error('Name a step: check, build or package.');
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
