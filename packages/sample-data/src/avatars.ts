import { PEOPLE } from './people.ts';
import { createRandom, type Random } from './random.ts';

const PATH = '/sample-avatars';

const SKIES = [
  ['#F6D365', '#FDA085'],
  ['#A1C4FD', '#C2E9FB'],
  ['#D4FC79', '#96E6A1'],
  ['#FBC2EB', '#A6C1EE'],
  ['#FFECD2', '#FCB69F'],
  ['#84FAB0', '#8FD3F4'],
  ['#CFD9DF', '#E2EBF0'],
  ['#667EEA', '#764BA2'],
  ['#FF9A9E', '#FECFEF'],
  ['#30CFD0', '#330867'],
] as const;
const SKINS = ['#F6D7C3', '#EEC1A0', '#D9A27C', '#B97B56', '#8D5A3C', '#5F3B28'];
const HAIRS = [
  '#23180F',
  '#4A2F1B',
  '#7B4B2A',
  '#B5793B',
  '#D9B36C',
  '#8C8C93',
  '#3A2C4D',
  '#B3432B',
];
const CLOTHES = [
  '#22577A',
  '#C44536',
  '#386641',
  '#5F0F40',
  '#2B2D42',
  '#E09F3E',
  '#EFEFEF',
  '#457B9D',
];

/** Returns the path of a fan's avatar on this server; null for every third fan, who has none. */
export function sampleAvatarPath(index: number): string | null {
  const person = PEOPLE[index];
  return person === undefined || index % 3 === 1 ? null : `${PATH}/${person.externalId}.svg`;
}

const indexes = new Map(PEOPLE.map((_, index) => [sampleAvatarPath(index), index]));

/** Returns the avatar at a path on the server, as an SVG of 96 by 96 pixels, or null. */
export function sampleAvatar(path: string): string | null {
  const index = indexes.get(path);
  return index === undefined ? null : drawAvatar(index);
}

function drawAvatar(index: number): string {
  const random = createRandom(index * 7_919 + 17);
  const [from, to] = random.pick(SKIES);
  const angle = Math.round(random.between(0, 90));
  const figure = random.chance(0.2) ? landscape(random) : portrait(random);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">' +
    `<defs><linearGradient id="g" gradientTransform="rotate(${angle} .5 .5)"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>` +
    `<rect width="96" height="96" fill="url(#g)"/>${figure}</svg>`
  );
}

function portrait(random: Random): string {
  const skin = random.pick(SKINS);
  const hair = random.pick(HAIRS);
  const cloth = random.pick(CLOTHES);
  const style = Math.floor(random.between(0, 5));
  const behind = [
    '',
    `<path d="M25 46c0-32 46-32 46 0v26H25z" fill="${hair}"/>`,
    `<path d="M23 44c2-30 48-30 50 0 1 14-3 20-7 24H30c-4-4-8-10-7-24z" fill="${hair}"/>`,
    `<circle cx="48" cy="15" r="9" fill="${hair}"/>`,
    '',
  ][style];
  const front = [
    `<path d="M29 42c0-26 38-26 38 0-6-9-12-12-20-12-6 0-13 3-18 12z" fill="${hair}"/>`,
    `<path d="M29 44c1-24 37-24 38 0-3-8-8-13-16-15-4 7-14 10-22 15z" fill="${hair}"/>`,
    `<path d="M30 41c3-20 33-20 36 0-12-2-24-2-36 0z" fill="${hair}"/>`,
    `<path d="M29 42c0-26 38-26 38 0-9-10-29-10-38 0z" fill="${hair}"/>`,
    `<path d="M28 36c4-22 36-22 40 0-13 4-27 4-40 0z" fill="${cloth}"/><rect x="26" y="34" width="44" height="6" rx="3" fill="${cloth}"/>`,
  ][style];
  const glasses = random.chance(0.25)
    ? '<g fill="none" stroke="#2B2B33" stroke-width="1.6"><circle cx="41" cy="46" r="5.5"/><circle cx="55" cy="46" r="5.5"/><path d="M46.5 46h3"/></g>'
    : '';
  const beard =
    style === 0 && random.chance(0.5)
      ? `<path d="M30 48c1 24 35 24 36 0-4 7-10 7-18 7s-14 0-18-7z" fill="${hair}"/>`
      : '';
  const smile = random.chance(0.6) ? 'M42 55q6 5.5 12 0' : 'M43 56q5 2.5 10 0';
  return (
    `${behind}<path d="M12 100c0-24 16-32 36-32s36 8 36 32z" fill="${cloth}"/>` +
    `<path d="M41 58h14v12c0 5-14 5-14 0z" fill="${skin}"/><ellipse cx="48" cy="46" rx="18" ry="20.5" fill="${skin}"/>${beard}` +
    `<g fill="#2B2B33"><circle cx="41" cy="46" r="2"/><circle cx="55" cy="46" r="2"/></g>` +
    `<path d="${smile}" fill="none" stroke="#2B2B33" stroke-width="1.8" stroke-linecap="round"/>${glasses}${front}`
  );
}

/** Draws a landscape, which some avatars show instead of a face. */
function landscape(random: Random): string {
  const x = Math.round(random.between(20, 76));
  const y = Math.round(random.between(22, 44));
  const near = random.pick(CLOTHES);
  const far = random.pick(HAIRS);
  return (
    `<circle cx="${x}" cy="${y}" r="${Math.round(random.between(8, 15))}" fill="#FFF6DA" opacity=".9"/>` +
    `<path d="M0 64l22-20 18 16 20-24 36 34v30H0z" fill="${far}" opacity=".55"/>` +
    `<path d="M0 78q24-16 48-4t48-6v32H0z" fill="${near}" opacity=".9"/>`
  );
}
