import { decided, held, heldLater, mentioning, type Post, said } from './thread.ts'

/** A baking circle in which a moderator reads each comment before it is published. */
export const SLOW_LOAF: Post[] = [
  {
    postId: 'slow-loaf-starter',
    by: 'chiara-bellini',
    daysAgo: 8,
    title: 'My starter smells of nail varnish. Is it dead?',
    text: 'Three weeks old, fed once a day, 26 degrees in the kitchen. Since Tuesday it smells sharp and has a grey puddle on top.',
    tags: ['starter'],
    comments: [
      said(
        'hana-novakova',
        'Not dead, only hungry. Pour the puddle off, keep a spoonful, and feed it twice a day for three days.',
        said('chiara-bellini', 'Day two: it smells of yoghurt again. You are magic.'),
        said('hana-novakova', 'It is the flour that is magic.'),
      ),
      said('ji-woo-han', '저도 똑같았어요. 물을 조금 줄이고 통밀을 섞었더니 이틀 만에 돌아왔습니다.'),
      said('emeka-nwosu', 'At 26 degrees once a day is not enough. Put it in the fridge when you are busy.'),
      said(
        'lan-nguyen',
        'Mine has a name and a birthday. It is called Gerda, and Gerda gets presents.',
        said('siobhan-oneill', 'As Gerda should.'),
      ),
      held(
        'best-deals-24',
        19,
        'Never bake again!! Frozen loaves delivered weekly, first box free: https://best-deals-24.example/bread',
      ),
      held(
        'priya-sharma',
        33,
        'मेरे यहाँ गर्मी में भी यही होता है। रात को फ्रिज में रखिए और सुबह आटा दोगुना दीजिए, दो दिन में ठीक हो जाएगा।',
      ),
      mentioning(
        held(
          'katya-smirnova',
          140,
          '@Chiara Bellini a grey liquid is normal. Pink or orange is not: then throw everything away, jar included, and begin again. Please do not try to rescue a pink one.',
        ),
        'chiara-bellini',
      ),
      heldLater(
        'oscar-blum',
        [1_900, 275],
        'If you cannot keep flour and water alive, maybe baking is not for you.',
        held('yusuf-demir', 240, 'Everyone in this circle has killed a starter. Some of us have killed four. Be kind.'),
      ),
    ],
  },
  {
    postId: 'slow-loaf-rye',
    by: 'bjorn-lindqvist',
    daysAgo: 5,
    title: 'All rye, no wheat: show me your crumb',
    text: 'I am on loaf eleven and it is still a brick with ambitions. What do you do?',
    tags: ['rye'],
    comments: [
      said(
        'marek-zielinski',
        'Scald a quarter of the flour with boiling water the evening before. It changes everything.',
        said('bjorn-lindqvist', 'Loaf twelve: it has *holes*. Small ones, but holes!'),
      ),
      said('dmytro-koval', 'Wait a full day before you cut it. I know. It is terrible. Wait.'),
      said('katya-smirnova', 'И не жалейте кориандра.'),
      decided(
        'approved',
        'wei-zhang',
        'Mine went from brick to bread when I stopped kneading it. Rye wants to be stirred, like a thick porridge.',
      ),
      held(
        'haruto-sato',
        46,
        'ライ麦100%は初めてです。水分を85%にして、型に入れて焼いたらうまくいきました。写真は明日のせます。',
      ),
      held(
        'isla-mackay',
        97,
        'What temperature inside? Mine says 96 and is still sticky at the bottom. I have tried a lower shelf, a stone, no stone, and language my grandmother would not have liked.',
        held('marek-zielinski', 71, '98, then out of the tin and ten more minutes. And sticky is not always wrong.'),
      ),
      held(
        'crypto-kevin',
        310,
        'rye is up 300% this year and NOBODY is talking about it. free signals group: https://grain-signals.example',
      ),
      held(
        'amara-okafor',
        620,
        'I bake it in an old biscuit tin with a lid, 90 minutes at 160, and turn the oven off. Ugly as anything and the best toast of my life.',
      ),
    ],
  },
  {
    postId: 'slow-loaf-flatbread',
    by: 'yusuf-demir',
    daysAgo: 10,
    title: 'Flatbreads of the world: one from each of us',
    text: 'Write down one you grew up with, the way your family does it. I will put them together as a little book for everyone.',
    tags: ['flatbread', 'book'],
    comments: [
      said(
        'yusuf-demir',
        'I begin: yufka on an upturned wok, one minute a side, brushed with butter and stacked under a towel.',
      ),
      said('mahlet-tesfaye', 'እንጀራ፦ የጤፍ ዱቄት፣ ውሃ፣ ሦስት ቀን ትዕግሥት። ሌላው ሁሉ ልምምድ ነው።'),
      said('joaquin-ibarra', 'Tortillas de maíz, and yes, you can hear when they are done.'),
      said('samir-khan', 'Chapati, and the secret is that my mother is watching.'),
      said(
        'fatou-diop',
        'Le pain plat de ma tante : farine de mil, eau chaude, une pincée de sel, et le couvercle de la grande marmite comme plaque.',
      ),
      said('eleni-papadaki', 'Λαγάνα, μία φορά τον χρόνο, με πολύ σουσάμι.'),
      held(
        'dalia-haddad',
        24,
        'خبز الصاج كما تعدّه جدتي:\n\nنصف كيلو دقيق، ملعقة ملح، ماء دافئ حتى تلين العجينة.\n\nترتاح ساعة، ثم تُفرد رقيقة جداً على وسادة وتُقلب على الصاج الساخن. دقيقة واحدة فقط، وتؤكل بالزيت والزعتر قبل أن تبرد.',
      ),
      held('noam-levi', 160, 'לחוח תימני: קמח, מים, שמרים, חצי יום של סבלנות, ומחבת אחת בלבד. לא הופכים אותו אף פעם!'),
      held('pooja-nair', 380, 'പത്തിരി! അരിപ്പൊടി, തിളച്ച വെള്ളം, ഉപ്പ്. കൈ പൊള്ളാതെ കുഴയ്ക്കുന്നതാണ് വിദ്യ.'),
      held(
        'rosa-quispe',
        700,
        'Pan de piedra: se calientan las piedras del río, se pone la masa encima y se tapa con hojas. Mi abuela decía que si la piedra canta, está lista.',
      ),
      held(
        'farid-rahimi',
        1_300,
        'نان سنگک در خانه سخت است، ولی با چند سنگ ریز در تابه چدنی نزدیک می‌شود. روی آن سیاه‌دانه بریزید.',
      ),
    ],
  },
  {
    postId: 'slow-loaf-mill',
    by: 'nia-thomas',
    daysAgo: 3,
    title: 'A visit to the water mill, Sunday week',
    text: 'Twelve places, two cars, one very proud miller. We bring home as much flour as fits between our knees.',
    comments: [
      said(
        'pooja-nair',
        'Two places please! One of them is short and eight years old.',
        said('nia-thomas', 'Short people travel best between bags of flour. You are in.'),
      ),
      said('luca-moretti', 'I can drive, four seats, questionable music.'),
      said(
        'kalinda-walker',
        'Is the path all right for a wheelchair?',
        said(
          'nia-thomas',
          'The yard and the shop are. The upper floor has a ladder, but he brings the good stories down.',
        ),
      ),
      held('tane-parata', 15, 'Count me in, and tell him I bring a sack for the chickens as well. 🐔'),
      held('oscar-blum', 480, 'Flour costs a third of that in any shop. What a racket this miller has going.'),
      heldLater(
        'zanele-dube',
        [2_400, 840],
        'Is there gluten-free milling too, on stones of their own? My sister would love to come, and the last place told her “just pick out the wheat”.',
      ),
    ],
  },
]
