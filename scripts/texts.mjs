// `npm run texts`: lists the console's texts that can't be translated, and gaps in each catalog.
//   npm run texts -- inbox/list       only files whose path starts with this
//   npm run texts -- --missing de     the texts that a language lacks, as JSON to translate
import { catalogue, consoleTexts, languages, wrongIn } from './lib/texts.mjs';

const args = process.argv.slice(2);
const { texts, problems } = consoleTexts();
if (args[0] === '--missing') {
  const known = catalogue(args[1]);
  const missing = texts.filter((text) => !Object.hasOwn(known, text));
  console.log(JSON.stringify(Object.fromEntries(missing.map((text) => [text, ''])), null, 2));
} else {
  const under = args[0] ?? '';
  const wrong = problems.filter((line) => line.startsWith(under));
  if (under === '')
    wrong.push(...languages().flatMap((language) => wrongIn(language, catalogue(language), texts)));
  for (const line of wrong) console.log(line);
  console.log(`${texts.length} texts, ${wrong.length} problems`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
