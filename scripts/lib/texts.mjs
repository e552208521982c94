// Collects the texts of the clients and of the server's emails from their code, and checks that each language has all of them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { parseSync, Visitor } from 'oxc-parser';
import { ROOT } from './run.mjs';

/** The apps, each with its own catalogs, and the library that both clients use. */
export const APPS = ['apps/web', 'apps/fan', 'apps/server'];
const LIBRARY = 'packages/browser';

/** The functions that look up the translation of an English text. */
const LOOKUPS = new Set(['t', 'rich', 'phrase']);
const DEFINING = /\/(i18n|rich-text|phrase|texts)\.ts$/;

/** The errors that a fan can get from any call. The fan's endpoints declare all others. */
const ERRORS_OF_ANY_CALL = [
  'invalid_request',
  'unauthorized',
  'not_found',
  'internal_error',
  'unavailable',
];

/** Attributes and properties that are shown or read aloud. */
const READ =
  /^(aria-label|aria-description|alt|placeholder|title|\w*[lL]abel|legend|hint|heading|description|caption|fallback(Text)?|problem|text|unit)$/;

/** Names, which are not translated. */
const NAMES = /^(Stagedoor|Fan Messages)$/;

/** Whether strings in a file are shown to people by default. Most of the server's strings aren't. */
const isForReaders = (file) => !file.startsWith('apps/server/');

const hasWords = (text) => /\p{L}{2}/u.test(text) && !NAMES.test(text.trim());

/**
 * Returns the texts of one file, with any context as in `Open [status]`, and a problem for each text that is shown untranslated.
 * @param {string} file its path, for the problems
 * @param {string} source
 * @returns {{ texts: string[], problems: string[] }}
 */
export function textsOf(file, source) {
  const texts = [];
  const problems = [];
  const lineOf = (node) => source.slice(0, node.start).split('\n').length;
  const report = (node, what) => problems.push(`${file}:${lineOf(node)} ${what}`);
  const shown = (node) => {
    if (node === null || node === undefined || !isForReaders(file)) return;
    if (node.type === 'JSXExpressionContainer') return shown(node.expression);
    if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].map(shown);
    if (node.type === 'LogicalExpression') return [node.left, node.right].map(shown);
    if (node.type === 'Literal' && typeof node.value === 'string' && hasWords(node.value))
      report(node, `“${node.value}” can’t be translated: use t()`);
    if (
      node.type === 'TemplateLiteral' &&
      node.quasis.some(({ value }) => hasWords(value.cooked ?? ''))
    )
      report(node, `${source.slice(node.start, node.end)} can’t be translated: use t()`);
  };
  new Visitor({
    CallExpression(node) {
      if (node.callee.type !== 'Identifier' || !LOOKUPS.has(node.callee.name)) return;
      const [text, given] = node.arguments;
      if (text?.type === 'Literal' && typeof text.value === 'string')
        texts.push(given?.type === 'Literal' ? `${text.value} [${given.value}]` : text.value);
      else if (text?.type === 'TemplateLiteral' && text.expressions.length === 0)
        texts.push(text.quasis[0].value.cooked);
      else report(node, `the text of ${node.callee.name}() must be a literal in the call`);
    },
    JSXText(node) {
      if (hasWords(node.value)) report(node, `“${node.value.trim()}” can’t be translated: use t()`);
    },
    JSXElement(node) {
      for (const child of node.children)
        if (child.type === 'JSXExpressionContainer') shown(child.expression);
    },
    JSXAttribute(node) {
      if (READ.test(node.name.name)) shown(node.value);
    },
    Property(node) {
      if (node.key.type === 'Identifier' && READ.test(node.key.name)) shown(node.value);
    },
  }).visit(parseSync(file, source).program);
  return { texts, problems };
}

/** Returns the server's error texts by code. */
function errorTexts() {
  const texts = {};
  visit('packages/contract/src/errors.ts', {
    CallExpression({ callee, arguments: [, messages] }) {
      if (callee.name !== 'withStatus') return;
      for (const { key, value } of messages.properties) texts[key.name] = value.value;
    },
  });
  return texts;
}

/** Returns the server's error texts that an app can get. */
function errorTextsFor(app) {
  const texts = errorTexts();
  if (app === 'apps/server') return [];
  if (app === 'apps/web') return Object.values(texts);
  const codes = [...ERRORS_OF_ANY_CALL];
  visit('packages/contract/src/platform/fan-app.ts', {
    Property({ key, value }) {
      if (key.name === 'errors') codes.push(...value.elements.map((element) => element.value));
    },
  });
  return codes.map((code) => texts[code]);
}

const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');
const visit = (file, visitor) => new Visitor(visitor).visit(parseSync(file, read(file)).program);

/**
 * Returns all texts of an app in English, sorted and unique, and the problems found.
 * @param {string} app its folder
 */
export function textsIn(app) {
  const found = [app, ...(app === 'apps/server' ? [] : [LIBRARY])]
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder, 'src'), { recursive: true }).map(
        (name) => `${folder}/src/${name.replaceAll('\\', '/')}`,
      ),
    )
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.includes('/src/testing/'))
    .filter((file) => !DEFINING.test(file))
    .map((file) => textsOf(file, read(file)));
  const texts = inOrder([...found.flatMap((each) => each.texts), ...errorTextsFor(app)]);
  return {
    texts,
    problems: [...found.flatMap(({ problems }) => problems), ...halfMeant(app, texts)],
  };
}

/** Lists the texts that have a context in some places but not in others. */
function halfMeant(app, texts) {
  const all = new Set(texts);
  return texts
    .map((text) => /^(.*) \[[^\]]*\]$/.exec(text)?.[1])
    .filter((bare) => all.has(bare))
    .map((bare) => `${app}: “${bare}” has a context in some places only`);
}

const inOrder = (texts) => [...new Set(texts)].sort((a, b) => (a < b ? -1 : 1));

/** Returns the languages besides English, from the names of an app's catalogs. */
export const languages = (app) =>
  readdirSync(path.join(ROOT, app, 'src/locales')).map((name) => path.basename(name, '.json'));

/** Returns an app's catalog of a language, keyed by the English texts. */
export const catalogue = (app, language) => JSON.parse(read(`${app}/src/locales/${language}.json`));

/**
 * Lists the problems of a catalog.
 * @param {string} language
 * @param {Record<string, string>} translations
 * @param {readonly string[]} texts the texts that it must contain
 * @returns {string[]} one line per problem
 */
export function problemsIn(language, translations, texts) {
  const wanted = new Set(texts);
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return [
    ...texts
      .filter((text) => !Object.hasOwn(translations, text))
      .map((text) => `${language}: “${text}” is not translated`),
    ...Object.keys(translations)
      .filter((text) => !wanted.has(text))
      .map((text) => `${language}: “${text}” is no longer used`),
    ...Object.entries(translations).flatMap(([text, translation]) => {
      if (translation.trim() === '') return [`${language}: the translation of “${text}” is empty`];
      const [asked, given] = [placeholders(text), placeholders(translation)];
      if (
        asked.names.size !== given.names.size ||
        ![...asked.names].every((name) => given.names.has(name))
      )
        return [`${language}: “${translation}” does not have the same placeholders as “${text}”`];
      return given.plurals
        .flatMap((cases) => categories.filter((category) => !cases.includes(category)))
        .map((category) => `${language}: “${translation}” has no case for “${category}”`);
    }),
  ];
}

/** Returns the names in a text's braces, and the cases of its plurals. */
function placeholders(text) {
  const names = new Set();
  const plurals = [];
  const walk = (tokens) => {
    for (const token of tokens) {
      if (typeof token === 'string') continue;
      const [name, , cases] = token;
      names.add(name);
      if (!cases) continue;
      // The parser always adds `offset`, which no text uses.
      delete cases.offset;
      plurals.push(Object.keys(cases));
      for (const one of Object.values(cases)) walk([one].flat());
    }
  };
  walk([compileMessage(text)].flat());
  return { names, plurals };
}
