/** A fan's message, a fitting answer, and the fan's reaction to it. `{song}`, `{city}` and `{name}` are filled in. */
export interface Exchange {
  readonly asks: readonly string[];
  readonly answers: readonly string[];
  /** Empty if there is nothing left to say. */
  readonly thanks: readonly string[];
}

export type Language = keyof typeof PHRASES;

/** The values for `{song}` and `{city}`. */
// biome-ignore format: a line each
export const SONGS = ['Paper Lanterns', 'Low Tide', 'Satellite Heart', 'Saudade', 'Glasshouse', 'Northbound', 'Marigold', 'Half Awake'] as const;
// biome-ignore format: a line each
export const CITIES = ['Lisbon', 'Porto', 'Madrid', 'Berlin', 'Hamburg', 'Paris', 'Lyon', 'Kyiv', 'Tokyo', 'Osaka', 'London', 'Amsterdam', 'Chicago', 'São Paulo'] as const;

/** Small talk and questions from a musician's fans, in the languages that the fans write in. */
// biome-ignore format: a list for each part of an exchange, a line each
export const PHRASES = {
  en: [
    {
      asks: ['Hi! Are there still tickets for {city}?', 'Is the {city} show sold out already? 😢', 'Any chance you add a second night in {city}?'],
      answers: ['Hey {name}! A few are left at the door, and a second night is being worked on. I’ll write as soon as it is certain.', 'Not quite sold out yet! The last ones go online on Friday at 10.', 'We are talking to the venue right now, fingers crossed 🤞'],
      thanks: ['Amazing, thank you!! 🎉', 'Okay, alarm is set for Friday', 'You just made my week'],
    },
    {
      asks: ['{song} has been on repeat all day. That bridge!', 'I finally heard {song} live. Goosebumps, honestly.', 'My daughter sings {song} in the bath now. Every. Single. Day.'],
      answers: ['That is so lovely to hear, {name}. We fought for weeks over that bridge ❤️', 'Haha, please tell her hello from the whole band 😊', 'Thank you! It was the last song we wrote for the record and the first that felt finished.'],
      thanks: ['It was worth every argument then', 'I will, she’ll be over the moon', '❤️❤️'],
    },
    {
      asks: ['My vinyl arrived with a bent corner. Can I do something about it?', 'The parcel says delivered but nothing is here…', 'I ordered the signed edition and got the plain one by mistake'],
      answers: ['I’m sorry about that! Could you send me the order number? Then a new one goes out tomorrow.', 'That shouldn’t happen. I’ll ask the shop today and come back to you.', 'Oh no. Keep that one as a gift, the signed one is on its way.'],
      thanks: ['It’s 20417. Thank you so much for being quick', 'Found it! The neighbour had it. Sorry for the noise 🙈', 'Wow, that is really kind'],
    },
    {
      asks: ['It’s my birthday tomorrow and I’m spending it at your show ✨', 'Today ten years ago I heard your first EP. Time flies!', 'We are getting married in May and {song} will be our first dance'],
      answers: ['Happy birthday, {name}! Come to the merch table afterwards, we have something for you.', 'Ten years! Thank you for staying around all this time.', 'That is the best news of the day. All the happiness to you two!'],
      thanks: ['I’m crying, thank you 😭', 'Here’s to ten more', 'We’ll send you a photo!'],
    },
    {
      asks: ['Which tuning do you use on {song}? My teacher and I can’t agree', 'Are there chords for {song} somewhere?', 'What pedal is that at the end of {song}?'],
      answers: ['Drop D, and a capo on the second fret. Your teacher owes you a coffee.', 'A songbook comes out in spring! Until then: Am, F, C, G, and a lot of feeling.', 'An old tape echo that hardly works any more. That wobble is the motor giving up.'],
      thanks: ['I KNEW it', 'Spring can’t come soon enough', 'Never repair it, please'],
    },
    {
      asks: ['Will you stream the {city} concert? I can’t travel at the moment', 'Is the venue in {city} accessible with a wheelchair?', 'Can I bring a small camera to the show?'],
      answers: ['Yes, it will be streamed, and it stays online for two days.', 'It is: step-free from the side entrance, and there is a platform with a good view. Tell the staff my name.', 'A small one is fine, just no flash please.'],
      thanks: ['That means a lot. See you on the screen then 😊', 'Perfect, thanks for checking', 'Got it!'],
    },
    {
      asks: ['What are you listening to these days?', 'How was the studio today?', 'Do you still write in the mornings?'],
      answers: ['Mostly old Cape Verdean records and the rain on the studio roof.', 'Long and good. Strings are done, and I have no voice left.', 'Six to nine, before the phone wakes up. It’s the only quiet there is.'],
      thanks: ['That explains the new sound!', 'Tea and honey! And sleep', 'I should try that'],
    },
    {
      asks: ['I drew you and the band, hope you like it', 'We made a fan zine, forty pages! Where can we send it?', 'I translated {song} into sign language for my brother'],
      answers: ['This is wonderful, {name}. May we share it, with your name under it?', 'Please do! I’ll send you the address of the studio.', 'I don’t know what to say. Thank you. Could we see it one day?'],
      thanks: ['Of course! I’m honoured', 'It’s in the post tomorrow 📮', 'He would love that'],
    },
  ],
  pt: [
    {
      asks: ['Olá! Ainda há bilhetes para {city}?', 'Vais voltar ao Porto este ano?', 'O concerto de {city} já esgotou? 😢'],
      answers: ['Olá {name}! Ainda há alguns, a última leva sai na sexta às 10h.', 'Vamos sim, em novembro! Ainda não posso dizer onde 🤫', 'Quase! Estamos a tentar marcar uma segunda noite.'],
      thanks: ['Que bom, obrigada!! ❤️', 'Já estou a contar os dias', 'Boa! Vou ficar atento'],
    },
    {
      asks: ['A «Saudade» fez-me chorar no comboio, que vergonha 😂', 'A minha avó adora a {song}, põe a tocar todos os domingos', 'Que letra linda a da {song}. Foste tu que escreveste?'],
      answers: ['Então somos dois, também chorei a gravá-la 😊', 'Um beijinho grande à avó! Isso enche-me o coração.', 'Fui, numa noite em que não conseguia dormir. Obrigado por dizeres isso.'],
      thanks: ['❤️❤️❤️', 'Ela vai ficar tão contente', 'Continua a não dormir então 😂'],
    },
    {
      asks: ['A minha encomenda ainda não chegou, já lá vão três semanas', 'Recebi o tamanho errado da camisola', 'Dá para trocar o bilhete por outra data?'],
      answers: ['Peço desculpa! Mandas-me o número da encomenda? Trato disso hoje.', 'Sem problema, enviamos já o certo e ficas com esse.', 'Dá sim, até dois dias antes. Diz-me só qual preferes.'],
      thanks: ['É a 30982, muito obrigada', 'A sério? Que simpatia!', 'A de sábado, por favor 🙏'],
    },
    {
      asks: ['Feliz aniversário!! 🎉', 'Bom dia! Como correu o estúdio ontem?', 'Oi! Quando vocês vêm pro Brasil?'],
      answers: ['Obrigado, {name}! Que dia bonito.', 'Muito bem, já temos as cordas todas gravadas.', 'Se tudo der certo, em março! São Paulo e Rio.'],
      thanks: ['Que venham muitos mais', 'Mal posso esperar por ouvir', 'AAAA não acredito 😍'],
    },
  ],
  es: [
    {
      asks: ['¡Hola! ¿Habrá concierto en Sevilla?', '¿Quedan entradas para {city}?', '¿A qué hora abren las puertas en {city}?'],
      answers: ['¡Hola, {name}! En junio, seguro. Lo anunciamos la semana que viene.', 'Quedan muy pocas, el viernes salen las últimas.', 'A las ocho, y empezamos a las nueve en punto.'],
      thanks: ['¡Genial, gracias!', '¡Allí estaré! 🙌', 'Perfecto ❤️'],
    },
    {
      asks: ['Escucho {song} cada mañana camino del trabajo', 'Lo de anoche fue increíble, todavía tengo la piel de gallina', 'Mi hermano y yo tocamos {song} en la boda de mi prima 😂'],
      answers: ['¡Qué bonito! Gracias por contármelo, {name}.', 'Fue de las mejores noches de la gira. Gracias por cantar tan fuerte ❤️', '¡Eso lo quiero ver! ¿Hay vídeo?'],
      thanks: ['A vosotros siempre', 'Me quedé sin voz, pero mereció la pena', 'Lo hay, pero da mucha vergüenza 🙈'],
    },
    {
      asks: ['El vinilo llegó roto, ¿qué puedo hacer?', 'Me cobraron dos veces la entrada', '¿Puedo cambiar el nombre de la entrada?'],
      answers: ['Lo siento mucho. Mándame una foto y el número de pedido y te enviamos otro.', 'Vaya, lo miro hoy mismo con la tienda. Te devolvemos una de las dos.', 'Sí, hasta el día antes. ¿A nombre de quién la pongo?'],
      thanks: ['Es el 18833. ¡Gracias por la rapidez!', 'Ya me ha llegado la devolución, mil gracias', 'A nombre de Lucía, gracias 🙏'],
    },
    {
      asks: ['¿Qué guitarra usas en {song}?', '¿Cuándo sale el disco nuevo?', 'Saludos desde Buenos Aires ✨'],
      answers: ['Una española de mi abuelo, con más años que todos nosotros juntos.', 'En primavera, si dejo de cambiar la última canción 😊', '¡Un abrazo enorme! Tenemos muchas ganas de volver.'],
      thanks: ['Se nota el cariño', 'No la cambies más, por favor 😂', '¡Os esperamos!'],
    },
  ],
  de: [
    {
      asks: ['Hallo! Gibt es noch Karten für {city}?', 'Kommt ihr dieses Jahr noch nach Leipzig?', 'Wann ist Einlass in {city}?'],
      answers: ['Hallo {name}! Ein paar gibt es noch an der Abendkasse.', 'Im Oktober, wenn alles klappt. Ich sage Bescheid!', 'Um 19 Uhr, los geht es pünktlich um acht.'],
      thanks: ['Super, danke dir!', 'Ich freu mich riesig 🎉', 'Alles klar, bis dann!'],
    },
    {
      asks: ['„{song}“ läuft hier in Dauerschleife', 'Das Konzert gestern war das schönste seit Jahren', 'Meine Kinder tanzen zu {song} durch die Küche'],
      answers: ['Das freut mich sehr, {name}. Danke fürs Schreiben!', 'Für uns auch. Was für ein Publikum ❤️', 'Das ist das beste Kompliment, das es gibt 😊'],
      thanks: ['Gern geschehen', 'Kommt bald wieder!', '😂❤️'],
    },
    {
      asks: ['Mein Paket ist seit zwei Wochen unterwegs', 'Kann ich die Karte zurückgeben? Ich bin leider krank', 'Die Schallplatte springt auf Seite B'],
      answers: ['Das tut mir leid. Schickst du mir die Bestellnummer? Ich kümmere mich heute noch darum.', 'Natürlich. Gute Besserung, das Geld ist in ein paar Tagen da.', 'Oh nein, da schicken wir dir eine neue.'],
      thanks: ['Die Nummer ist 27715, vielen Dank', 'Danke, das ist wirklich lieb', 'Ihr seid großartig'],
    },
  ],
  fr: [
    {
      asks: ['Bonjour ! Il reste des places pour {city} ?', 'Vous passez par Nantes cette année ?', 'À quelle heure ouvrent les portes ?'],
      answers: ['Bonjour {name} ! Quelques-unes, oui, les dernières partent vendredi.', 'En avril, si tout va bien. Chut, rien n’est encore annoncé 🤫', 'À 19 h 30, et on commence à 20 h 30.'],
      thanks: ['Merci beaucoup !', 'Oh la bonne nouvelle 😍', 'Parfait, à bientôt !'],
    },
    {
      asks: ['« {song} » m’accompagne depuis des mois, merci pour ça', 'J’ai appris {song} au piano pour ma mère', 'Le concert d’hier… je n’ai pas les mots'],
      answers: ['C’est un message comme ça qui donne envie de continuer. Merci, {name}.', 'Quelle belle idée ! Elle a aimé ?', 'Nous non plus. Quelle soirée ❤️'],
      thanks: ['Ne vous arrêtez jamais !', 'Elle a pleuré, donc oui 😊', 'Vivement la prochaine'],
    },
    {
      asks: ['Le colis est arrivé ouvert, il manque le livret', 'Peut-on se faire rembourser un billet ?', 'Je n’ai pas reçu la confirmation par mail'],
      answers: ['Désolé ! Envoyez-moi le numéro de commande et le livret part demain.', 'Oui, jusqu’à sept jours avant. Je m’en occupe.', 'Je vous la renvoie tout de suite.'],
      thanks: ['C’est le 11294, merci mille fois', 'Merci pour votre gentillesse', 'Bien reçue, merci !'],
    },
  ],
  ja: [
    {
      asks: ['こんにちは！東京公演のチケットはまだありますか？', '大阪にも来てくれますか？', '開場は何時ですか？'],
      answers: ['こんにちは！金曜日の10時に最後のチケットが出ます。', 'はい、秋に行く予定です。楽しみにしていてください😊', '18時開場、19時開演です。'],
      thanks: ['ありがとうございます！絶対に行きます✨', '待っています！', 'わかりました、楽しみです'],
    },
    {
      asks: ['毎朝「{song}」を聴いています', '昨日のライブ、最高でした！まだ夢みたいです', '新しいアルバムの発売日はいつですか？'],
      answers: ['とても嬉しいです。ありがとうございます❤️', '来てくれて本当にありがとう。忘れられない夜でした。', '春の予定です。あと一曲で完成です。'],
      thanks: ['これからも応援しています！', 'また来てくださいね🎉', '待ちきれません😍'],
    },
    {
      asks: ['グッズがまだ届きません', 'サイズを間違えて注文してしまいました'],
      answers: ['申し訳ありません。注文番号を教えていただけますか？', '大丈夫ですよ。すぐに交換します。'],
      thanks: ['40551です。よろしくお願いします🙏', '助かります、ありがとうございます'],
    },
  ],
  ar: [
    {
      asks: ['مرحبا! هل ستقيمون حفلة في دبي هذا العام؟', 'هل ما زالت هناك تذاكر لحفل {city}؟', 'متى يصدر الألبوم الجديد؟'],
      answers: ['أهلاً {name}! نعمل على ذلك، وسأخبرك فور تأكيد الموعد.', 'بقي عدد قليل، والدفعة الأخيرة يوم الجمعة.', 'في الربيع إن شاء الله 😊'],
      thanks: ['رائع، شكراً جزيلاً!', 'سأكون أول الحاضرين 🎉', 'في انتظاركم بفارغ الصبر'],
    },
    {
      asks: ['أغنية {song} لا تفارقني منذ أيام', 'صوتك يذكرني ببيت جدي ❤️', 'أمي أيضاً أصبحت من معجبيك'],
      answers: ['شكراً لك، كلماتك تعني لي الكثير.', 'ما أجمل هذا الكلام! تحياتي لعائلتك.', 'بلّغها سلامي الحار 🙏'],
      thanks: ['❤️❤️', 'الله يسلمك', 'ستفرح كثيراً!'],
    },
  ],
  uk: [
    {
      asks: ['Привіт! Чи будете ви цього року в Києві?', 'Чи ще є квитки на {city}?', 'Коли вийде новий альбом?'],
      answers: ['Привіт, {name}! Дуже хочемо. Щойно буде дата, я напишу.', 'Ще трохи є, останні з’являться в п’ятницю.', 'Навесні, якщо все складеться 😊'],
      thanks: ['Чекаємо дуже! 💛💙', 'Супер, дякую!', 'Ура! 🎉'],
    },
    {
      asks: ['«{song}» допомогла мені пережити цю зиму. Дякую', 'Вчора грали вашу пісню на вулиці, всі співали', 'Мій син вивчив {song} на скрипці'],
      answers: ['Дякую, що написали. Це найважливіше, що може зробити пісня ❤️', 'Як гарно! Шкода, що мене там не було.', 'Передайте йому, що він справжній музикант!'],
      thanks: ['Обіймаю вас', 'Приїздіть, заспіваємо разом', 'Передам, він зрадіє 😊'],
    },
  ],
  it: [
    {
      asks: ['Ciao! Tornate a Bologna quest’anno?', 'Ci sono ancora biglietti per {city}?'],
      answers: ['Ciao {name}! A settembre, promesso.', 'Pochissimi, gli ultimi escono venerdì.'],
      thanks: ['Che bello, grazie!', 'Evviva! 🎉'],
    },
    {
      asks: ['«{song}» è la colonna sonora della mia estate', 'Ieri sera avete fatto piangere mezza sala'],
      answers: ['Grazie di cuore, {name} ❤️', 'Anche noi dietro le quinte, te lo assicuro 😊'],
      thanks: ['Grazie a voi', 'Alla prossima!'],
    },
  ],
  ko: [
    {
      asks: ['안녕하세요! 서울 공연 계획이 있나요?', '새 앨범은 언제 나와요?'],
      answers: ['안녕하세요! 올가을에 갈 것 같아요. 곧 알려드릴게요 😊', '봄에 나와요. 조금만 기다려 주세요!'],
      thanks: ['정말요? 너무 기대돼요! 😍', '감사합니다, 기다릴게요'],
    },
    {
      asks: ['"{song}" 매일 듣고 있어요', '어제 방송 정말 좋았어요 ❤️'],
      answers: ['고마워요, 큰 힘이 됩니다.', '봐 주셔서 고마워요! 저도 즐거웠어요.'],
      thanks: ['항상 응원할게요!', '다음에도 꼭 볼게요 ✨'],
    },
  ],
} as const satisfies Record<string, readonly Exchange[]>;

/** Replies that fit any answer. */
// biome-ignore format: a line a language
export const REPLIES: Record<Language, readonly string[]> = {
  en: ['Thank you for answering so quickly! 😊', 'That’s so kind of you', 'Haha, okay! ❤️', 'I didn’t expect a reply, you made my day', 'Got it, thanks!', 'See you soon then ✨'],
  pt: ['Obrigada pela resposta tão rápida! 😊', 'Que simpatia, obrigado', 'Está bem! ❤️', 'Não esperava resposta, ganhei o dia', 'Até breve ✨'],
  es: ['¡Gracias por contestar tan rápido! 😊', 'Qué amable, gracias', '¡Vale! ❤️', 'No esperaba respuesta, me has alegrado el día', '¡Hasta pronto! ✨'],
  de: ['Danke für die schnelle Antwort! 😊', 'Das ist lieb von dir', 'Alles klar! ❤️', 'Damit hatte ich nicht gerechnet, Tag gerettet', 'Bis bald ✨'],
  fr: ['Merci d’avoir répondu si vite ! 😊', 'C’est vraiment gentil', 'D’accord ! ❤️', 'Je n’attendais pas de réponse, quelle joie', 'À bientôt ✨'],
  ja: ['お返事ありがとうございます！😊', '嬉しいです、ありがとうございます', 'わかりました！❤️', 'まさかお返事がもらえるなんて…感激です', 'またライブで会いましょう✨'],
  ar: ['شكراً على الرد السريع! 😊', 'هذا لطف كبير منك', 'حسناً! ❤️', 'لم أتوقع رداً، أسعدت يومي', 'إلى اللقاء قريباً ✨'],
  uk: ['Дякую за швидку відповідь! 😊', 'Це так мило', 'Гаразд! ❤️', 'Не чекав на відповідь, день вдався', 'До зустрічі ✨'],
  it: ['Grazie per la risposta così veloce! 😊', 'Che gentile, grazie', 'Va bene! ❤️', 'A presto ✨'],
  ko: ['빠른 답장 감사합니다! 😊', '정말 친절하세요', '알겠습니다! ❤️', '곧 만나요 ✨'],
};
