import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DesktopState } from '../../../actions/bridge.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { CopyButton } from '../parts/parts.tsx';

/** Source code in a box that scrolls. */
export function CodeBlock(props: {
  readonly label: string;
  /** True if long lines wrap; for code of a single line. */
  readonly isWrapped?: boolean;
  readonly text: string;
}) {
  const { label, isWrapped, text } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <pre
      className="access-code"
      data-wrapped={isWrapped || undefined}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
      tabIndex={0}
    >
      {text}
    </pre>
  );
}

/** The kinds of example scripts, in display order. */
export const snippetKinds = ['curl', 'powershell', 'python', 'javascript', 'excel'] as const;
type SnippetKind = (typeof snippetKinds)[number];

/**
 * The values in a snippet. The key and the address need no escaping in any of the languages: a key
 * has only letters, digits and `_`, and the address is `http://127.0.0.1:` and a port.
 */
type SnippetValues = {
  /** For Excel, which cannot ask for the address. */
  readonly baseUrl: string;
  readonly accessKey: string;
  readonly platform: DesktopState['platform'];
  /** The data directory of the service. */
  readonly directory: string;
};

/**
 * Returns the words of the command that prints the address of the service. A fixed address would
 * send the key to any program that has the port.
 */
function urlCommand({ platform, directory }: SnippetValues): readonly string[] {
  const bin = platform === 'darwin' ? '/Applications/Club Events.app/Contents/Resources/bin/' : '';
  return [`${bin}club-events`, '--home', directory, 'url'];
}

/** Returns a function that quotes a word where necessary; `quote` stands for a quote in it. */
const quoteWith = (quote: string) => (word: string) =>
  /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", quote)}'`;

const quoteForPowerShell = quoteWith("''");
const quoteForShell = quoteWith("'\\''");

// A configured proxy would receive the key, and could not reach the loopback address.

/** On Windows, this is for PowerShell, which has another command named `curl`. */
function writeCurl(values: SnippetValues): string {
  const onWindows = values.platform === 'win32';
  const program = onWindows ? 'curl.exe' : 'curl';
  const words = urlCommand(values).map(onWindows ? quoteForPowerShell : quoteForShell);
  const header = `Authorization: Bearer ${values.accessKey}`;
  return `${program} --noproxy "*" -H "${header}" "$(${words.join(' ')})/v1/events"\n`;
}

/** Windows PowerShell 5.1 has no `-NoProxy`; its .NET Framework uses no proxy for loopback. */
function writePowerShell(values: SnippetValues): string {
  const { accessKey } = values;
  return `$base = & ${urlCommand(values).map(quoteForPowerShell).join(' ')}
$request = @{
    Uri = "$base/v1/events"
    Headers = @{ Authorization = 'Bearer ${accessKey}' }
}
if ($PSVersionTable.PSVersion.Major -ge 6) { $request.NoProxy = $true }
try {
    $answer = Invoke-RestMethod @request
    $answer.events | Format-Table date, name, location, status
} catch {
    if (-not $_.ErrorDetails) { throw }
    Write-Error ($_.ErrorDetails.Message | ConvertFrom-Json).detail
}
`;
}

function writePython(values: SnippetValues): string {
  return `import json
from subprocess import check_output
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

command = ${JSON.stringify(urlCommand(values))}
url = check_output(command).decode("utf-8").strip() + "/v1/events"
headers = {"Authorization": "Bearer ${values.accessKey}"}
opener = build_opener(ProxyHandler({}))
try:
    while url:
        answer = opener.open(Request(url, headers=headers))
        for event in json.loads(answer.read().decode("utf-8"))["events"]:
            print(event["date"], event["name"])
        link = answer.headers["Link"]
        url = link[1:link.index(">")] if link else None
except HTTPError as error:
    raise SystemExit(json.loads(error.read().decode("utf-8"))["detail"])
`;
}

function writeJavaScript(values: SnippetValues): string {
  const [program, ...args] = urlCommand(values);
  return `async function main() {
  const { execFileSync } = await import('node:child_process');
  const address = execFileSync(${JSON.stringify(program)}, ${JSON.stringify(args)});
  let url = address.toString().trim() + '/v1/events';
  const headers = { Authorization: 'Bearer ${values.accessKey}' };
  while (url) {
    const answer = await fetch(url, { headers });
    if (!answer.ok) throw new Error(await answer.text());
    const { events } = await answer.json();
    for (const { date, name } of events) console.log(date, name);
    url = answer.headers.get('link')?.match(/<(.+)>/)[1];
  }
}

main();
`;
}

/**
 * Writes a query in M, the language of Power Query. Dates become Excel dates in local time. Excel
 * handles a 401 itself, so the query cannot show the detail of a refusal.
 */
function writePowerQuery({ baseUrl, accessKey }: SnippetValues): string {
  return `let
    Answer = Json.Document(Web.Contents("${baseUrl}/v1/events", [
        Headers = [Authorization = "Bearer ${accessKey}"]
    ])),
    Events = Table.FromRecords(Answer[events], {
        "id", "name", "date", "location", "description", "status",
        "eventType", "registrationOpen", "createdAt"
    }, MissingField.UseNull),
    ToLocal = (text) =>
        DateTimeZone.RemoveZone(DateTimeZone.ToLocal(DateTimeZone.FromText(text))),
    Dated = Table.TransformColumns(Events, {
        {"date", ToLocal, type datetime},
        {"createdAt", ToLocal, type datetime}
    })
in
    Dated
`;
}

const writers: Readonly<Record<SnippetKind, (values: SnippetValues) => string>> = {
  curl: writeCurl,
  powershell: writePowerShell,
  python: writePython,
  javascript: writeJavaScript,
  excel: writePowerQuery,
};

/** Returns a script that runs as it is pasted. */
export function writeSnippet(kind: SnippetKind, values: SnippetValues): string {
  return writers[kind](values);
}

/** The kinds of snippets that read all pages. */
const pagingKinds: ReadonlySet<SnippetKind> = new Set(['python', 'javascript']);

const names: Readonly<Record<SnippetKind, string>> = {
  curl: 'curl',
  powershell: 'PowerShell',
  python: 'Python',
  javascript: 'JavaScript',
  excel: 'Excel',
};

const excelSteps = ['excel1', 'excel2', 'excel3', 'excel4', 'excel5'] as const;

function Instructions({ kind }: { readonly kind: SnippetKind }) {
  const { t } = useTranslation('newKey');
  if (kind !== 'excel') return <p className="access-note">{t(kind)}</p>;
  return (
    <div className="access-note">
      {t('excel')}
      <ol className="access-steps">
        {excelSteps.map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
      {t('excelKey')}
    </div>
  );
}

function Snippet(props: {
  readonly kind: SnippetKind;
  readonly text: string;
  readonly baseUrl: string;
}) {
  const { kind, text, baseUrl } = props;
  const { t } = useTranslation('newKey');
  return (
    <>
      <Instructions kind={kind} />
      <CodeBlock label={names[kind]} isWrapped={kind === 'curl'} text={text.trimEnd()} />
      <CopyButton text={text} label={t('copySnippet')} />
      <p className="access-note">
        {t(pagingKinds.has(kind) ? 'allPages' : 'onePage')}
        {kind !== 'excel' && ` ${t('address', { url: baseUrl })}`}
      </p>
    </>
  );
}

/** Example scripts that read the events with the key, one in each tab. */
export function SnippetTabs(values: { readonly baseUrl: string; readonly accessKey: string }) {
  const { t } = useTranslation('newKey');
  const { platform, home } = useDesktop().state;
  return (
    <Tabs defaultValue={snippetKinds[0]} keepMounted={false} className="access-tabs">
      <Tabs.List aria-label={t('uses')}>
        {snippetKinds.map((kind) => (
          <Tabs.Tab key={kind} value={kind}>
            {names[kind]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippetKinds.map((kind) => (
        <Tabs.Panel key={kind} value={kind} className="access-panel">
          <Snippet
            kind={kind}
            text={writeSnippet(kind, { ...values, platform, directory: home.directory })}
            baseUrl={values.baseUrl}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
