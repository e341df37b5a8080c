import parser from '@microsoft/powerquery-parser';

// An interpreter for the part of M, the language of Power Query, that the project's queries use. The
// parser is Microsoft's own; there is no public interpreter. Unknown syntax or functions throw.

type Value = unknown;
type Row = Readonly<Record<string, Value>>;
type Call = (...args: Value[]) => Promise<Value>;
type Scope = Readonly<Record<string, () => Promise<Value>>>;
// biome-ignore lint/suspicious/noExplicitAny: the nodes of the parser have 70 types
type Node = any;

const rows = (value: Value) => value as readonly Row[];
const constant = (value: Value) => () => Promise.resolve(value);

/** The functions of the library of M. Headers other than the content type are hidden, as in Excel. */
const library: Readonly<Record<string, Value>> = {
  'MissingField.UseNull': 'MissingField.UseNull',
  async 'Web.Contents'(url: string, options: { RelativePath: string; Query: Row; Headers: Row }) {
    const query = new URLSearchParams(options.Query as Record<string, string>);
    const headers = options.Headers as Record<string, string>;
    const answer = await fetch(`${url}/${options.RelativePath}?${query}`, { headers });
    if (!answer.ok) throw new Error(`DataSource.Error: ${answer.status}`);
    return await answer.text();
  },
  'Json.Document': async (text: string) => JSON.parse(text),
  'List.Count': async (list: readonly Value[]) => list.length,
  'List.First': async (list: readonly Value[]) => list[0] ?? null,
  'List.Last': async (list: readonly Value[]) => list.at(-1) ?? null,
  'List.IsEmpty': async (list: readonly Value[]) => list.length === 0,
  'List.Combine': async (lists: readonly Value[][]) => lists.flat(),
  async 'List.Generate'(initial: Call, condition: Call, next: Call) {
    const list: Value[] = [];
    for (let value = await initial(); await condition(value); value = await next(value)) {
      list.push(value);
    }
    return list;
  },
  async 'Table.FromRecords'(records: readonly Row[], columns: readonly string[], missing: Value) {
    if (missing !== 'MissingField.UseNull') throw new Error('Expression.Error: a field is missing');
    return records.map((record) =>
      Object.fromEntries(columns.map((name) => [name, record[name] ?? null])),
    );
  },
  async 'Table.Distinct'(table: Value, columns: readonly string[]) {
    const keyOf = (row: Row) => JSON.stringify(columns.map((name) => row[name]));
    return [
      ...new Map(
        rows(table)
          .toReversed()
          .map((row) => [keyOf(row), row]),
      ).values(),
    ].toReversed();
  },
  async 'Table.TransformColumns'(table: Value, changes: readonly [string, Call, Value][]) {
    const changed = rows(table).map(async (row) => {
      const pairs = changes.map(async ([name, change]) => [name, await change(row[name])] as const);
      return { ...row, ...Object.fromEntries(await Promise.all(pairs)) };
    });
    return await Promise.all(changed);
  },
  'DateTimeZone.FromText': async (text: string) => new Date(text),
  'DateTimeZone.ToLocal': async (date: Date) => date,
  'DateTimeZone.RemoveZone': async (date: Date) =>
    new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, -1),
};

const items = ({ content }: Node): Node[] => content.elements.map(({ node }: Node) => node);

function literalOf({ literalKind, literal }: Node): Value {
  if (literalKind === 'Text') return literal.slice(1, -1).replaceAll('""', '"');
  if (literalKind === 'Null') return null;
  if (literalKind === 'Numeric') return Number(literal);
  throw new Error(`a literal of the kind ${literalKind}`);
}

/** Adds lazy values to a scope, which see each other. */
function bind(scope: Scope, pairs: readonly Node[]): Scope {
  const inner: Record<string, () => Promise<Value>> = { ...scope };
  for (const { key, value } of pairs) {
    let result: Promise<Value> | undefined;
    inner[key.literal] = () => {
      result ??= evaluate(value, inner);
      return result;
    };
  }
  return inner;
}

async function evaluateRecord(node: Node, scope: Scope): Promise<Row> {
  const pairs = items(node).map(
    async ({ key, value }: Node) => [key.literal, await evaluate(value, scope)] as const,
  );
  return Object.fromEntries(await Promise.all(pairs));
}

function fieldOf(record: Value, name: string): Value {
  if (typeof record !== 'object' || record === null || !(name in record)) {
    throw new Error(`Expression.Error: no field ${name}`);
  }
  return (record as Row)[name];
}

async function evaluateChain({ head, recursiveExpressions }: Node, scope: Scope): Promise<Value> {
  let value = await evaluate(head, scope);
  for (const part of recursiveExpressions.elements) {
    if (part.kind === 'InvokeExpression') {
      const args = await Promise.all(items(part).map((each) => evaluate(each, scope)));
      value = await (value as Call)(...args);
    } else if (part.kind === 'FieldSelector') value = fieldOf(value, part.content.literal);
    else throw new Error(`an expression of the kind ${part.kind}`);
  }
  return value;
}

async function evaluateOperator(node: Node, scope: Scope): Promise<Value> {
  const [left, right] = await Promise.all([
    evaluate(node.left, scope),
    evaluate(node.right, scope),
  ]);
  const { constantKind } = node.operatorConstant;
  if (constantKind === '=') return left === right;
  if (constantKind === '<') return (left as number) < (right as number);
  if (constantKind !== '&') throw new Error(`the operator ${constantKind}`);
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  return { ...(left as Row), ...(right as Row) };
}

function functionOf(names: readonly string[], body: Node, scope: Scope): Call {
  return (...args) => {
    const values = names.map((name, at) => [name, constant(args[at] ?? null)] as const);
    return evaluate(body, { ...scope, ...Object.fromEntries(values) });
  };
}

async function evaluate(node: Node, scope: Scope): Promise<Value> {
  switch (node.kind) {
    case 'LetExpression': {
      const pairs = node.variableList.elements.map((each: Node) => each.node);
      return await evaluate(node.expression, bind(scope, pairs));
    }
    case 'IdentifierExpression': {
      const name = node.identifier.literal;
      const value = scope[name];
      if (value === undefined) throw new Error(`Expression.Error: no name ${name}`);
      return await value();
    }
    case 'LiteralExpression':
      return literalOf(node);
    case 'FunctionExpression':
      return functionOf(
        items(node.parameters).map(({ name }) => name.literal),
        node.expression,
        scope,
      );
    case 'EachExpression':
      return functionOf(['_'], node.paired, scope);
    case 'IfExpression': {
      const isTrue = await evaluate(node.condition, scope);
      return await evaluate(isTrue ? node.trueExpression : node.falseExpression, scope);
    }
    case 'RecordExpression':
      return await evaluateRecord(node, scope);
    case 'ListExpression':
      return await Promise.all(items(node).map((each) => evaluate(each, scope)));
    case 'RecursivePrimaryExpression':
      return await evaluateChain(node, scope);
    case 'ArithmeticExpression':
    case 'EqualityExpression':
    case 'RelationalExpression':
      return await evaluateOperator(node, scope);
    case 'UnaryExpression':
      return !(await evaluate(node.typeExpression, scope));
    case 'ParenthesizedExpression':
      return await evaluate(node.content, scope);
    case 'ErrorRaisingExpression':
      throw new Error(`Expression.Error: ${await evaluate(node.paired, scope)}`);
    case 'TypePrimaryType':
      return 'type';
    default:
      throw new Error(`an expression of the kind ${node.kind}`);
  }
}

/** Runs a query in M, with values of other queries, and returns its table. */
export async function runPowerQuery(text: string, values: Row = {}): Promise<readonly Row[]> {
  const task = await parser.TaskUtils.tryLexParse(parser.DefaultSettings, text);
  if (!parser.TaskUtils.isParseStageOk(task)) throw new Error(`not M: ${JSON.stringify(task)}`);
  const all = Object.entries({ ...library, ...values });
  return rows(
    await evaluate(
      task.ast,
      Object.fromEntries(all.map(([name, value]) => [name, constant(value)])),
    ),
  );
}
