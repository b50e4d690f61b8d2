import { decided, held, heldLater, mentioning, type Post, said } from './thread.ts'

/** A neighbourhood community that holds every comment for review. */
export const HARBOUR_TOWN: Post[] = [
  {
    postId: 'harbour-town-ferry',
    by: 'gwen-pritchard',
    daysAgo: 6,
    title: 'The 7:10 ferry is going, or is it?',
    text: 'The notice on the pier says the early boat stops at the end of the month. The office says it knows nothing about a notice. Who takes it, and what would you do without it?',
    tags: ['transport'],
    comments: [
      said(
        'emeka-nwosu',
        'I take it four days a week. Without it I would be late for every single shift, so please let us not treat this as a rumour.',
        said(
          'gwen-pritchard',
          'Thank you, that is exactly what I need to hear from people. May I put your name on the list?',
        ),
        said('emeka-nwosu', 'Please do.'),
        held(
          'oscar-blum',
          41,
          'Buy a car like everyone else and stop asking the rest of us to pay for your boat.',
          held('emeka-nwosu', 36, 'Where would I park it, Oscar? On your lawn?'),
          held('isla-mackay', 22, 'Half the street has no garage. This is a silly answer and you know it.'),
        ),
      ),
      said(
        'siobhan-oneill',
        'The notice has no logo and no date. I photographed it this morning. It looks home-made to me.',
        said('bjorn-lindqvist', 'The font is the one they use on the lifeboat raffle posters, for what it is worth.'),
        said('siobhan-oneill', 'Ha! Now that is detective work.'),
      ),
      said(
        'tane-parata',
        'My uncle pilots the second boat. He says the timetable is only agreed in three weeks and nobody has decided anything.',
      ),
      said(
        'rosa-quispe',
        '¿Alguien sabe si el barco de las 6:40 sigue? Es el que toma mi hermana para ir al hospital.',
        said('joaquin-ibarra', 'Sí, ese sigue. Lo confirmé ayer por teléfono.'),
      ),
      decided(
        'approved',
        'oscar-blum',
        'Whatever happens, can somebody mend the ticket machine? It has eaten three of my cards.',
      ),
      held(
        'dalia-haddad',
        8,
        'أستقل هذا القارب كل صباح مع أطفالي إلى المدرسة. إذا توقف فلن يبقى لنا سوى الحافلة التي تصل بعد بداية الدرس. هل يمكننا أن نكتب رسالة مشتركة إلى مكتب الميناء؟',
      ),
      mentioning(
        held(
          'leila-benali',
          64,
          '@Gwen Pritchard there is a public hearing on Thursday at six, in the old customs house. The agenda says “services, early”, which can only be this. I can bring printed copies of the list if you send it to me by Wednesday. 🛳️',
        ),
        'gwen-pritchard',
      ),
      held(
        'crypto-kevin',
        13,
        '🚀🚀 WHY TAKE THE FERRY WHEN YOU CAN BUY THE FERRY 🚀🚀 my followers made 40x this week, message me, only 12 places left → https://moon-harbour.example/join?ref=kevin',
      ),
      heldLater(
        'marek-zielinski',
        [1_560, 95],
        'I worked for the port for nine years, so let me explain how this goes.\n\nFirst somebody counts passengers in February, when it rains. Then somebody else writes that “demand is weak”. Then there is a consultation of ten days over a holiday, and then it is done and nobody did it.\n\nSo count for yourselves. Two people on the pier, every morning for two weeks, with a clicker and the date on every sheet. Sign the sheets. It cost us nothing last time and it saved the night bus.\n\nI have the clickers in my shed.',
      ),
      held(
        'haruto-sato',
        130,
        '毎朝この船で通勤しています。廃止になると、始業時間に間に合う便がなくなってしまいます。署名を集めるなら、職場の同僚にも声をかけてみます。',
      ),
      held(
        'best-deals-24',
        3,
        'Replica watches from 19.99 !!! Free shipping to all harbours !!! https://best-deals-24.example/watches https://best-deals-24.example/bags',
      ),
    ],
  },
  {
    postId: 'harbour-town-gulls',
    by: 'bjorn-lindqvist',
    daysAgo: 9,
    title: 'A polite word about feeding the gulls',
    text: 'I like gulls. I do not like them in my kitchen. Could we agree on not feeding them between the bakery and the steps?',
    comments: [
      said(
        'nia-thomas',
        'One took a whole pasty out of my hand yesterday and looked back at me as if I had been rude.',
        said('luca-moretti', 'That is Gerald. He does this to everyone.'),
        said('nia-thomas', 'Gerald owes me lunch.'),
      ),
      said(
        'kalinda-walker',
        'They nest on our roof until August and it is against the law to disturb them, so not feeding them really is all we can do.',
      ),
      said('miguel-santos', 'Agreed. I will put a small sign by the counter of the bakery.'),
      held(
        'oscar-blum',
        205,
        'So now we need a committee to tell grown adults what to do with a chip. You people are unbelievable, honestly, get a hobby.',
        held('bjorn-lindqvist', 190, 'I did say please.'),
      ),
      held(
        'fatou-diop',
        260,
        'Les mouettes ont ouvert tous les sacs de la rue ce matin. Si on sortait les poubelles après sept heures au lieu de la veille, il y aurait déjà moins de problèmes.',
      ),
      held(
        'samir-khan',
        410,
        'Seagull-proof bags exist, we use them at the café. They are the thick orange ones and cost about as much as two coffees: https://orange-bags.example',
      ),
      decided('rejected', 'crypto-kevin', 'GULLCOIN launches tonight, first thousand wallets get double'),
      said('isla-mackay', 'We once counted 61 on the pier roof. My daughter has named eleven.'),
      heldLater(
        'kalinda-walker',
        [2_700, 520],
        'Whoever is putting down poison by the slipway: I have given a sample to the vet. Stop it now. There are dogs and toddlers there.',
      ),
    ],
  },
  {
    postId: 'harbour-town-street-party',
    by: 'amara-okafor',
    daysAgo: 4,
    title: 'Street party: who brings what',
    text: 'Saturday in two weeks, from three. The road is closed from one. Tables come from the school. Write below what you bring, so we do not end up with nineteen salads again.',
    tags: ['party', 'food'],
    comments: [
      said(
        'priya-sharma',
        'मैं समोसे और इमली की चटनी लाऊँगी, क़रीब साठ। किसी को मूँगफली से एलर्जी हो तो बता दें।',
        said('amara-okafor', 'Sixty samosas, you are a hero. I will write the allergies on a board.'),
      ),
      said(
        'yusuf-demir',
        'Two big pots of bean salad. I know. But it is a *good* salad.',
        said('amara-okafor', 'Salad number one. Eighteen to go.'),
      ),
      said('chiara-bellini', 'Focaccia, four trays, one without salt for the little ones.'),
      said('tane-parata', 'I can lend the big grill and a very tired gazebo.'),
      said('hana-novakova', 'Music! We are five, we need one socket and no requests for that one song.'),
      said('lan-nguyen', 'Em mang gỏi cuốn nhé, có cả phần chay.'),
      held('zanele-dube', 17, 'I will do chakalaka and a pot of pap. Is there somewhere to keep it warm? 🌶️🌶️'),
      held('wei-zhang', 29, '我可以带两打皮蛋瘦肉粥……开玩笑的，夏天还是凉面吧。大概三十人份。'),
      held(
        'siobhan-oneill',
        51,
        'Could the person who brings fireworks please just… not, this year? Our neighbours’ dog hid in a bath for a day and a half.',
        held('joaquin-ibarra', 47, 'That was me and I am sorry. Sparklers only, promise. ✨'),
      ),
      held(
        'oscar-blum',
        74,
        'Closing a public road for your private barbecue. I have written to the council, again, and I will park where I always park.',
      ),
      mentioning(
        held(
          'isla-mackay',
          88,
          '@Amara Okafor the school says eleven tables, not fourteen, and somebody has to collect them on Friday before four. I have the van but not the back for it.',
        ),
        'amara-okafor',
      ),
      held('noam-levi', 152, 'אני אביא שתי מגשים של בורקס וסלט חצילים. אם צריך עזרה בסידור השולחנות, אני פנוי מהבוקר.'),
      held(
        'katya-smirnova',
        233,
        'Привезу два больших пирога: один с капустой, другой с яблоками. Стулья тоже могу одолжить, штук шесть.',
      ),
    ],
  },
  {
    postId: 'harbour-town-lost-cat',
    by: 'mei-lin-chen',
    daysAgo: 2.5,
    title: 'Lost: a grey cat with one white boot',
    text: 'Her name is Pepper. She left by the bathroom window on Sunday evening near the chandlery. She is shy and does not come when called, but she does come for tuna.',
    comments: [
      said(
        'luca-moretti',
        'I think I saw her under the boats by the rowing club last night. Grey, quick, not interested in me at all.',
        said('mei-lin-chen', 'That sounds exactly like her. Going there now, thank you!'),
      ),
      said('pooja-nair', 'Shared with the whole of Chapel Lane.'),
      held(
        'ines-carvalho',
        5,
        'SHE IS IN MY SHED. I have shut her in and put down water. Number 14, blue gate, ring twice. 🐈',
      ),
      held(
        'best-deals-24',
        11,
        'Lost your pet? Track anything with PetSpy, 80 % off today only https://best-deals-24.example/petspy',
      ),
      held('somchai-jaidee', 62, 'เมื่อคืนเห็นแมวสีเทาอยู่หลังร้านอาหารของผมครับ กำลังกินปลาอยู่ ถ้าเจออีกจะถ่ายรูปให้'),
      held('crypto-kevin', 118, 'cats are for losers get a dog lol'),
    ],
  },
  {
    postId: 'harbour-town-allotments',
    by: 'dmytro-koval',
    daysAgo: 12,
    title: 'New allotment plots: how should we share them out?',
    text: 'Eight plots, thirty-one names. Lottery, or first come? The plan of the plots is in the files.',
    tags: ['gardens'],
    comments: [
      said('pooja-nair', 'Lottery, but let people apply in pairs. A whole plot is a lot of digging.'),
      said(
        'eleni-papadaki',
        'Συμφωνώ με την κλήρωση. Και να κρατήσουμε ένα κομμάτι για το σχολείο.',
        said('dmytro-koval', 'A plot for the school is a lovely idea. I will add it to the vote.'),
      ),
      said('marek-zielinski', 'First come means those with fast internet. Lottery.'),
      said('nia-thomas', 'Could we halve two of them? Ten people would get something to grow.'),
      decided('approved', 'farid-rahimi', 'من با نصف یک قطعه هم خوشحال می‌شوم. فقط جایی برای گوجه و ریحان می‌خواهم.'),
      held(
        'oscar-blum',
        340,
        'We all know who wins when the organiser “draws names”. Publish the list or it is a fiddle.',
        held(
          'dmytro-koval',
          322,
          'The draw is in the open, on the steps, and you are welcome to pull the names out of the hat yourself.',
        ),
      ),
      held('mahlet-tesfaye', 1_150, 'ለትምህርት ቤቱ አንድ ቦታ መተው ጥሩ ሐሳብ ነው። እኔም በሳምንት አንድ ቀን ልጆቹን ማስተማር እችላለሁ።'),
      heldLater(
        'hana-novakova',
        [2_860, 1_400],
        'A note on water: there is one tap for eight plots, and in July it is a trickle. Please let us plan for barrels **before** anyone plants, not after. There is a good guide at https://rain-barrels.example/guide and I can order ten at once, which is cheaper.',
      ),
      said('gwen-pritchard', 'The hat is ready, by the way.'),
    ],
  },
]
