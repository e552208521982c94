import { createRandom } from '@stagedoor/sample-data/random';

/** Everyday words, most common first; they take the top ranks of the vocabulary. */
const EVERYDAY =
  `the you to love and it a song is so me for of my show in your that this be thank we can on with just
when will tour next are at album new have tickets was do not see one from concert all really like but day out what good
time back night get here know how please music please would much play hope were they live more guitar still if been
single piano happy there our today morning us come first birthday best friend always listen again two city record
could great vinyl shirt an who did lyrics ever them his her year week feel heart voice never sing tomorrow after
order some then long soon home stage crowd miss waiting hello because band thanks video minute weekend listening
every hear than little world very since made studio front right remember need story kind amazing only train seat
where mother sister brother drums favourite bought before street summer winter rain light drive chorus melody bridge
question answer festival poster signed photo camera ticket refund address parcel post arrived broken lost email
account phone language english spanish portuguese german french paris lisbon berlin madrid london tokyo amsterdam
dancing dreams coffee garden mountain river ocean island window letter paper candle silver golden purple orange`.split(
    /\s+/,
  );

const ONSETS = 'b br c ch d dr f fl g gr h j k l m n p pl r s sh st t tr v w z'.split(' ');
const VOWELS = 'a e i o u ai ea io ou'.split(' ');
const CODAS = ['', ...'l m n nd r s st t ck'.split(' ')];

/** Number of distinct words in all messages; the n-th is about 1/n as frequent as the first. */
const VOCABULARY_SIZE = 20_000;
const ENDINGS = ['', '', '.', '!', '?', ' ❤️', ' 😊', '…'];

/** Returns a generator of messages of 3 to 32 words, the same in every run. */
export function sentences(): () => string {
  const next = createRandom(11).next;
  const words = vocabulary(VOCABULARY_SIZE);
  // Zipf's law: the logarithm of the rank is uniformly distributed.
  const spread = Math.log(VOCABULARY_SIZE);
  const word = () => words[Math.floor(Math.exp(next() * spread) - 1)] ?? '';
  return () => {
    const length = 3 + Math.floor(next() * next() * 30);
    let text = word();
    for (let index = 1; index < length; index++) text += ` ${word()}`;
    const ending = ENDINGS[Math.floor(next() * ENDINGS.length)] ?? '';
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}${ending}`;
  };
}

/** Returns the words, most common first. The rare ones are built from syllables, so that they share trigrams as real words do. */
function vocabulary(size: number): string[] {
  const words = new Set(EVERYDAY);
  const next = createRandom(7).next;
  const pick = (list: readonly string[]) => list[Math.floor(next() * list.length)] ?? '';
  const syllable = () => `${pick(ONSETS)}${pick(VOWELS)}${pick(CODAS)}`;
  while (words.size < size) {
    const length = 2 + Math.floor(words.size / (size / 2));
    words.add(Array.from({ length }, syllable).join(''));
  }
  return [...words].slice(0, size);
}

export const FIRST_NAMES =
  `Maria Anna Sofia Ana Lucas Emma Olivia Mia Noah Liam Hana Yuki Lena Paul Marta João Inês Pedro
Carla Diego Mateo Camila Elena Ivan Olena Taras Amélie Chloé Hugo Jonas Felix Klara Greta Omar Layla Yousef Noor Kenji Aiko
Ren Min-jun Seo-yeon Wei Ling Priya Arjun Ravi Sanjay Kofi Ama Zola Thabo Freya Lars Ingrid Matti Aino Zofia Jakub Petra
Tomás Beatriz Rafael Bruno Larissa Gabriela Valentina Santiago Isabel Rocío Núria Jordi Giulia Marco Chiara Luca Eleni Nikos
Ayşe Mehmet Dilara Anaïs Théo Manon Grace Jack Ruby Harry Isla Callum Siobhán Niamh Owen Rhys Ava Ethan Zoe Caleb`.split(
    /\s+/,
  );

export const LAST_NAMES =
  `Silva Santos Pereira Costa Müller Schmidt Fischer García Martínez López Rossi Ferrari Dubois
Laurent Moreau Kowalski Nowak Shevchenko Bondarenko Tanaka Suzuki Sato Kim Park Lee Chen Wang Nguyen Patel Sharma Gupta
Khan Hassan Haddad Okafor Mensah Dlamini Nilsen Larsen Virtanen Johansson Andersson Novák Horvat Papadopoulos Yılmaz Demir
Smith Jones Brown Taylor Wilson Evans Murphy Kelly O'Brien Byrne Walker Hughes Carter Reyes Cruz Rivera Torres Ramírez
Fernández Almeida Ribeiro Carvalho Gomes Lopes Becker Wagner Hoffmann Schulz Bakker Visser Jansen Peeters Fontaine Girard`.split(
    /\s+/,
  );
