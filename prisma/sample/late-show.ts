import { decided, held, heldLater, mentioning, type Post, said } from './thread.ts'

/** A film club that stopped holding comments a while ago and still has a backlog. */
export const LATE_SHOW: Post[] = [
  {
    postId: 'late-show-next-season',
    by: 'leila-benali',
    daysAgo: 11,
    title: 'Next season: six evenings, and you choose the thread',
    text: 'Trains? Lighthouses? Films with fewer than five words in the first ten minutes? Suggest a thread and one film for it. Please make up your own mind before you read the others.',
    tags: ['season'],
    comments: [
      said('haruto-sato', 'Kitchens. There is always a kitchen, and it is always the truest room.'),
      said(
        'emeka-nwosu',
        'Night shifts! Nurses, bakers, lighthouse keepers, the whole town that is awake when we are not.',
        said('leila-benali', 'I love this one. It is called the Late Show, after all.'),
        said('zanele-dube', 'Seconded. And we start at eleven for once.'),
      ),
      said('ines-carvalho', 'Filmes de uma só noite. Do pôr do sol ao nascer do sol.'),
      said('mei-lin-chen', 'Trains, but only those that are late.'),
      decided('rejected', 'best-deals-24', 'All films free, no sign-up, 4K: https://best-deals-24.example/films'),
      held(
        'oscar-blum',
        1_020,
        'Six evenings of subtitles again, is it? Some of us would like to be entertained.',
        held('leila-benali', 990, 'Bring us a comedy, Oscar. I mean it: you choose number four.'),
      ),
      held('ji-woo-han', 1_260, '밤에 일하는 사람들 이야기에 한 표요. 편의점이 나오는 영화도 하나 넣어 주세요!'),
      heldLater(
        'isla-mackay',
        [2_820, 1_500],
        'A plea from the back row: may we have the sound two notches lower? I could hear the violins through my scarf, my hat and my husband.',
      ),
    ],
  },
  {
    postId: 'late-show-projector',
    by: 'noam-levi',
    daysAgo: 7,
    title: 'The projector fund stands at 612 of 900',
    text: 'The old lamp has perhaps forty hours left. The jar is on the bar, the list of givers on the wall.',
    comments: [
      said(
        'gwen-pritchard',
        'The knitting circle puts in thirty, on one condition: a film with good jumpers.',
        said('noam-levi', 'There are only films with good jumpers in November. Deal.'),
      ),
      said('olu-adeyemi', 'I can solder. If it is only the ballast, do not buy anything yet.'),
      said('miguel-santos', 'The bakery gives the takings of Thursday’s buns.'),
      held(
        'crypto-kevin',
        1_110,
        'put the 612 into my fund and you will have 6,120 by friday, no risk, ask anyone https://moon-harbour.example/films',
      ),
      mentioning(
        held(
          'olu-adeyemi',
          1_430,
          '@נועם לוי I had a look on Saturday: it *is* the ballast. The part costs 38. The fund can buy popcorn for a decade.',
        ),
        'noam-levi',
      ),
      held(
        'luca-moretti',
        1_700,
        'Ho trovato un proiettore di seconda mano, quasi nuovo, a 250. Lo guardo domani e vi dico.',
      ),
    ],
  },
  {
    postId: 'late-show-walk-out',
    by: 'siobhan-oneill',
    daysAgo: 14,
    title: 'Is it rude to walk out of a film you do not like?',
    text: 'I did, on Friday, quietly, after an hour. I have been getting looks in the greengrocer’s.',
    comments: [
      said('dewi-prasetyo', 'Kalau pelan-pelan dan dari ujung baris, tidak apa-apa.'),
      said(
        'kalinda-walker',
        'You paid, you stayed an hour, you owe nobody anything.',
        said('siobhan-oneill', 'Tell that to the greengrocer.'),
        said('kalinda-walker', 'I will. I need onions anyway.'),
      ),
      said('samir-khan', 'I have slept through three of our films and nobody minded, so leaving must be fine.'),
      said(
        'katya-smirnova',
        'Уходить можно. Комментировать вслух весь фильм, вот что нельзя.',
        said('eleni-papadaki', 'Χα! Ξέρουμε όλοι για ποιον μιλάς.'),
      ),
      held(
        'oscar-blum',
        1_880,
        'Yes it is rude. And the film was rubbish. Both of these are true and you are all snobs.',
      ),
      held(
        'fatou-diop',
        2_100,
        'Moi, je reste toujours jusqu’au bout, même quand je m’ennuie, parce que la dernière image change parfois tout le film. Mais je n’en voudrai jamais à quelqu’un de partir.',
      ),
      held(
        'joaquin-ibarra',
        2_340,
        'I walked out of my own cousin’s film. At its premiere. We do not speak of it at Christmas. 🎬',
      ),
      heldLater('bjorn-lindqvist', [2_870, 2_600], 'Only if you sit in the middle and wear a rucksack.'),
    ],
  },
]
