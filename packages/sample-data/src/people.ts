import type { Language } from './phrases.ts';

/** A sample fan. Some platforms know little about a fan, so names and addresses may be missing. */
export interface SamplePerson {
  /** The platform's id for the fan. */
  readonly externalId: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string;
  readonly email: string | null;
  readonly timezone: string;
  readonly language: Language;
}

/** First name, last name, username, time zone, language; `-` if unknown. */
const LINES = `
Inês|Carvalho|ines.carvalho|Europe/Lisbon|pt
João|Ferreira|joaof_|Europe/Lisbon|pt
Beatriz|Antunes|bia.antunes|Europe/Lisbon|pt
Rui|Mendonça|ruimendo|Atlantic/Azores|pt
Larissa|Oliveira|lari.oliveira|America/Sao_Paulo|pt
Thiago|Nascimento|thiagonasc|America/Sao_Paulo|pt
Camila|Rocha|camirocha|America/Recife|pt
Marta|Simões|martasimoes|Europe/Lisbon|pt
Lucía|Fernández|luciafdz|Europe/Madrid|es
Álvaro|Iglesias|alvaro.iglesias|Europe/Madrid|es
Rocío|Navarro|rocionav|Europe/Madrid|es
Valentina|Quiroga|valequiroga|America/Argentina/Buenos_Aires|es
Mateo|Restrepo|mateo_res|America/Bogota|es
Ximena|Castillo|xime.castillo|America/Mexico_City|es
Diego|Huamán|diegohuaman|America/Lima|es
Núria|Puig|nuria.puig|Europe/Madrid|es
Klara|Neumann|klaraneumann|Europe/Berlin|de
Jonas|Weidemann|jonas_w|Europe/Berlin|de
Greta|Brückner|gretabrueckner|Europe/Berlin|de
Emil|Hofstätter|emil.hof|Europe/Vienna|de
Sophie|Aebischer|sophie.aebi|Europe/Zurich|de
Lennart|Große|lennartg|Europe/Berlin|de
Amélie|Rousseau|amelie.rsx|Europe/Paris|fr
Théo|Lemoine|theolemoine|Europe/Paris|fr
Manon|Delacroix|manon.dlx|Europe/Paris|fr
Noah|Tremblay|noahtremblay|America/Toronto|fr
Aïssatou|Diallo|aissatou.d|Africa/Dakar|fr
Élodie|Vandamme|elodiev|Europe/Brussels|fr
さくら|田中|sakura_tnk|Asia/Tokyo|ja
健太|鈴木|kenta.szk|Asia/Tokyo|ja
美咲|山本|misaki.y|Asia/Tokyo|ja
Haruto|Kobayashi|haruto_k|Asia/Tokyo|ja
ليلى|حداد|layla.haddad|Asia/Beirut|ar
يوسف|المنصوري|yousef.m|Asia/Dubai|ar
نور|خليل|nour_khalil|Africa/Cairo|ar
Omar|Benali|omarbenali|Africa/Casablanca|ar
Олена|Шевчук|olena.shev|Europe/Kyiv|uk
Тарас|Бондаренко|tarasbond|Europe/Kyiv|uk
Софія|Мельник|sofia.melnyk|Europe/Kyiv|uk
Дмитро|Коваль|dmytro_k|Europe/Warsaw|uk
Giulia|Marchetti|giuliamarchetti|Europe/Rome|it
Lorenzo|Bianchi|lorebianchi|Europe/Rome|it
Chiara|De Santis|chiara.ds|Europe/Rome|it
지우|김|jiwoo.kim|Asia/Seoul|ko
Min-jun|Park|minjun.p|Asia/Seoul|ko
서연|이|seoyeon_lee|Asia/Seoul|ko
Priya|Raghunathan|priya.raghu|Asia/Kolkata|en
Arjun|Mehta|arjunmehta|Asia/Kolkata|en
Zanele|Dlamini|zaneled|Africa/Johannesburg|en
Kwame|Mensah|kwame.mensah|Africa/Accra|en
Chidinma|Okonkwo|chichi.ok|Africa/Lagos|en
Aroha|Ngata|aroha.n|Pacific/Auckland|en
Liam|O’Sullivan|liamosull|Europe/Dublin|en
Siobhán|Kearney|siobhankearney|Europe/Dublin|en
Freya|Lindqvist|freyalind|Europe/Stockholm|en
Mikkel|Sørensen|mikkelsoe|Europe/Copenhagen|en
Aino|Virtanen|aino.v|Europe/Helsinki|en
Zofia|Wiśniewska|zofia.wisn|Europe/Warsaw|en
Ayşe|Demir|ayse.demir|Europe/Istanbul|en
Eleni|Papadaki|eleni.papa|Europe/Athens|en
Grace|Whitfield|gracewhitfield|Europe/London|en
Callum|MacLeod|callum.mac|Europe/London|en
Ruby|Ashworth|rubyash|Europe/London|en
Ethan|Caldwell|ethancaldwell|America/New_York|en
Maya|Thompson|maya.thompson|America/Chicago|en
Jackson|Reyes|jreyes|America/Los_Angeles|en
Nguyễn|Minh Anh|minhanh|Asia/Ho_Chi_Minh|en
Wei|Ling|weiling|Asia/Singapore|en
Bartholomew|Featherstonehaugh-Montgomery|barthfm|Europe/London|en
Sanne|-|sanne_nl|Europe/Amsterdam|en
-|-|moonlit.harbour|America/Vancouver|en
-|-|vinyl_and_coffee|Australia/Melbourne|en
`;

export const PEOPLE: readonly SamplePerson[] = LINES.trim()
  .split('\n')
  .map((line, index) => {
    const [first = '-', last = '-', username = '', timezone = 'UTC', language = 'en'] =
      line.split('|');
    return {
      externalId: `sample-${String(index + 1).padStart(3, '0')}`,
      firstName: first === '-' ? null : first,
      lastName: last === '-' ? null : last,
      username,
      email: first === '-' ? null : `${username}@example.${index % 3 === 0 ? 'org' : 'com'}`,
      timezone,
      language: language as Language,
    };
  });
