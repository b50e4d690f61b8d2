import type {
  PolicyCategory,
  PolicyFields,
  PolicyLanguage,
  PolicyText,
} from '#server/modules/network/policies/schema.ts'

interface Starter {
  /** Its key, which stays with the policy: it is added once. */
  starter: string
  fields: PolicyFields
}

/** A policy of the terms; reasons for reports are those of docs/interface/reports-and-flags.md. */
function startOf(
  starter: string,
  facts: { category: PolicyCategory; weight: number; reportReasons?: string[] },
  texts: Record<PolicyLanguage, PolicyText>,
): Starter {
  return { starter, fields: { ground: 'terms', reportReasons: [], ...facts, texts } }
}

/** The policies that a network can begin with. One that is in use keeps its key here, whatever becomes of its words. */
export const STARTERS: readonly Starter[] = [
  startOf(
    'spam',
    { category: 'OTHER_VIOLATION_TC', weight: 1 },
    {
      en: {
        title: 'Spam',
        text: 'Don’t post the same thing again and again, and don’t post advertising that nobody asked for. That includes links that are only there to draw visitors or to rank higher in searches.',
      },
      de: {
        title: 'Spam',
        text: 'Veröffentliche nicht immer wieder dasselbe und keine unerwünschte Werbung. Dazu gehören Links, die nur Besucher anlocken oder Suchergebnisse beeinflussen sollen.',
      },
      ar: {
        title: 'المحتوى المزعج',
        text: 'لا تنشر الشيء نفسه مرارًا، ولا تنشر إعلانات لم يطلبها أحد. يشمل ذلك الروابط التي لا غرض منها إلا جذب الزوار أو تحسين الترتيب في نتائج البحث.',
      },
    },
  ),
  startOf(
    'scams',
    { category: 'SCAMS_AND_FRAUD', weight: 3, reportReasons: ['Spam or scams'] },
    {
      en: {
        title: 'Scams and fraud',
        text: 'Don’t deceive people to get their money, passwords or personal data. That includes fake offers, phishing, pyramid schemes, and pretending to be another person or an organisation.',
      },
      de: {
        title: 'Betrug',
        text: 'Täusche niemanden, um an Geld, Passwörter oder persönliche Daten zu kommen. Dazu gehören falsche Angebote, Phishing, Schneeballsysteme und sich als eine andere Person oder Organisation auszugeben.',
      },
      ar: {
        title: 'الاحتيال والخداع',
        text: 'لا تخدع الناس للحصول على أموالهم أو كلمات مرورهم أو بياناتهم الشخصية. يشمل ذلك العروض الوهمية والتصيّد والتسويق الهرمي وانتحال صفة شخص آخر أو جهة أخرى.',
      },
    },
  ),
  startOf(
    'harassment',
    { category: 'CYBER_VIOLENCE', weight: 2, reportReasons: ['Harassment or bullying'] },
    {
      en: {
        title: 'Harassment and bullying',
        text: 'Don’t insult, humiliate or intimidate people, and don’t call on others to do it. Criticise what somebody says or does, not who they are, and stop contacting people who ask you to.',
      },
      de: {
        title: 'Belästigung und Mobbing',
        text: 'Beleidige, demütige und bedränge niemanden und fordere andere nicht dazu auf. Kritisiere, was jemand sagt oder tut, nicht die Person selbst, und schreibe niemandem weiter, der das nicht möchte.',
      },
      ar: {
        title: 'المضايقة والتنمّر',
        text: 'لا تُهِن أحدًا ولا تُذلّه ولا تُرهبه، ولا تدعُ غيرك إلى ذلك. انتقد ما يقوله الشخص أو يفعله لا الشخص نفسه، وتوقّف عن مراسلة من يطلب منك ذلك.',
      },
    },
  ),
  startOf(
    'hate',
    { category: 'ILLEGAL_OR_HARMFUL_SPEECH', weight: 3 },
    {
      en: {
        title: 'Hate speech',
        text: 'Don’t attack or demean people because of their origin, skin colour, religion, disability, sex, gender identity, sexual orientation or age. That includes slurs, and praise for groups that persecute people for such reasons.',
      },
      de: {
        title: 'Hassrede',
        text: 'Greife niemanden wegen Herkunft, Hautfarbe, Religion, Behinderung, Geschlecht, Geschlechtsidentität, sexueller Orientierung oder Alter an und setze niemanden deshalb herab. Dazu gehören Schimpfwörter für Gruppen und das Verherrlichen von Gruppen, die Menschen aus solchen Gründen verfolgen.',
      },
      ar: {
        title: 'خطاب الكراهية',
        text: 'لا تهاجم الناس ولا تحطّ من شأنهم بسبب أصلهم أو لون بشرتهم أو دينهم أو إعاقتهم أو جنسهم أو هويتهم الجندرية أو ميولهم الجنسية أو سنّهم. يشمل ذلك الألفاظ المهينة للجماعات وتمجيد من يضطهد الناس لهذه الأسباب.',
      },
    },
  ),
  startOf(
    'violence',
    { category: 'VIOLENCE', weight: 3, reportReasons: ['Violence or threatening content'] },
    {
      en: {
        title: 'Violence and threats',
        text: 'Don’t threaten people, call for violence or celebrate it. Don’t show extreme violence to shock others. Reporting on violence and condemning it are allowed.',
      },
      de: {
        title: 'Gewalt und Drohungen',
        text: 'Bedrohe niemanden, rufe nicht zu Gewalt auf und feiere sie nicht. Zeige keine extreme Gewalt, um andere zu schockieren. Über Gewalt zu berichten und sie zu verurteilen ist erlaubt.',
      },
      ar: {
        title: 'العنف والتهديد',
        text: 'لا تهدّد أحدًا، ولا تدعُ إلى العنف ولا تحتفِ به. لا تعرض مشاهد عنف شديد لصدم الآخرين. نقل أخبار العنف وإدانته مسموح بهما.',
      },
    },
  ),
  startOf(
    'self-harm',
    { category: 'SELF_HARM', weight: 0, reportReasons: ['Self-harm or suicide'] },
    {
      en: {
        title: 'Self-harm and suicide',
        text: 'Don’t encourage suicide, self-harm or eating disorders, and don’t describe methods. You may talk about your own experience and ask for help. If you are in danger, please contact your local emergency number.',
      },
      de: {
        title: 'Selbstverletzung und Suizid',
        text: 'Ermutige niemanden zu Suizid, Selbstverletzung oder Essstörungen und beschreibe keine Methoden. Über eigene Erfahrungen sprechen und um Hilfe bitten darfst du. Wenn du in Gefahr bist, wende dich bitte an den örtlichen Notruf.',
      },
      ar: {
        title: 'إيذاء النفس والانتحار',
        text: 'لا تشجّع على الانتحار أو إيذاء النفس أو اضطرابات الأكل، ولا تصف طرقها. يمكنك أن تتحدث عن تجربتك وأن تطلب المساعدة. إن كنت في خطر فاتصل برقم الطوارئ في بلدك.',
      },
    },
  ),
  startOf(
    'sexual',
    { category: 'OTHER_VIOLATION_TC', weight: 1, reportReasons: ['Sexual content or nudity'] },
    {
      en: {
        title: 'Nudity and sexual content',
        text: 'Don’t post pornography, nudity or sexual content where it isn’t expressly allowed. Never post intimate pictures of somebody who hasn’t agreed to it.',
      },
      de: {
        title: 'Nacktheit und sexuelle Inhalte',
        text: 'Veröffentliche keine Pornografie, Nacktheit oder sexuellen Inhalte, wo das nicht ausdrücklich erlaubt ist. Veröffentliche niemals intime Bilder von jemandem, der dem nicht zugestimmt hat.',
      },
      ar: {
        title: 'العُري والمحتوى الجنسي',
        text: 'لا تنشر موادّ إباحية أو عُريًا أو محتوى جنسيًا حيث لا يُسمح بذلك صراحةً. ولا تنشر أبدًا صورًا حميمة لشخص لم يوافق على نشرها.',
      },
    },
  ),
  startOf(
    'children',
    { category: 'PROTECTION_OF_MINORS', weight: 10 },
    {
      en: {
        title: 'Protection of children',
        text: 'Don’t sexualise, exploit or endanger children. That includes pictures, drawings, texts and attempts to get in touch with children for such a purpose. We report what the law requires us to report.',
      },
      de: {
        title: 'Schutz von Kindern',
        text: 'Sexualisiere, missbrauche und gefährde keine Kinder. Dazu gehören Bilder, Zeichnungen, Texte und Versuche, zu diesem Zweck mit Kindern in Kontakt zu kommen. Wir melden, was wir gesetzlich melden müssen.',
      },
      ar: {
        title: 'حماية الأطفال',
        text: 'لا تُضفِ طابعًا جنسيًا على الأطفال ولا تستغلّهم ولا تعرّضهم للخطر. يشمل ذلك الصور والرسوم والنصوص ومحاولات التواصل مع الأطفال لهذا الغرض. ونبلّغ عمّا يُلزمنا القانون بالإبلاغ عنه.',
      },
    },
  ),
  startOf(
    'privacy',
    { category: 'DATA_PROTECTION_AND_PRIVACY_VIOLATIONS', weight: 2 },
    {
      en: {
        title: 'Private information',
        text: 'Don’t publish other people’s private information without their consent: addresses, phone numbers, documents, private messages or where they are.',
      },
      de: {
        title: 'Private Daten',
        text: 'Veröffentliche keine privaten Daten anderer ohne ihre Zustimmung: Adressen, Telefonnummern, Dokumente, private Nachrichten oder ihren Aufenthaltsort.',
      },
      ar: {
        title: 'المعلومات الخاصة',
        text: 'لا تنشر معلومات خاصة عن الآخرين دون موافقتهم: العناوين وأرقام الهواتف والوثائق والرسائل الخاصة ومكان وجودهم.',
      },
    },
  ),
  startOf(
    'restricted',
    {
      category: 'UNSAFE_AND_PROHIBITED_PRODUCTS',
      weight: 2,
      reportReasons: ['Selling and promoting restricted items'],
    },
    {
      en: {
        title: 'Restricted goods',
        text: 'Don’t offer or promote drugs, weapons, stolen or counterfeit goods, protected animals, or anything else whose sale is forbidden or restricted.',
      },
      de: {
        title: 'Verbotene Waren',
        text: 'Biete keine Drogen, Waffen, gestohlenen oder gefälschten Waren, geschützten Tiere oder anderes an, dessen Verkauf verboten oder beschränkt ist, und wirb nicht dafür.',
      },
      ar: {
        title: 'السلع المحظورة',
        text: 'لا تعرض ولا تروّج للمخدرات أو الأسلحة أو السلع المسروقة أو المقلّدة أو الحيوانات المحمية أو أي شيء يُحظر بيعه أو يُقيَّد.',
      },
    },
  ),
  startOf(
    'false-information',
    {
      category: 'NEGATIVE_EFFECTS_ON_CIVIC_DISCOURSE_OR_ELECTIONS',
      weight: 1,
      reportReasons: ['False information or misinformation'],
    },
    {
      en: {
        title: 'False information',
        text: 'Don’t spread claims that you know to be false and that can harm people, for example about health, elections or emergencies. Don’t pass off altered or generated media as real.',
      },
      de: {
        title: 'Falschinformationen',
        text: 'Verbreite keine Behauptungen, von denen du weißt, dass sie falsch sind, und die Menschen schaden können, etwa über Gesundheit, Wahlen oder Notlagen. Gib veränderte oder erzeugte Medien nicht als echt aus.',
      },
      ar: {
        title: 'المعلومات الكاذبة',
        text: 'لا تنشر ادعاءات تعلم أنها كاذبة ويمكن أن تضرّ بالناس، مثلًا عن الصحة أو الانتخابات أو حالات الطوارئ. ولا تقدّم وسائط معدَّلة أو مولَّدة على أنها حقيقية.',
      },
    },
  ),
  startOf(
    'copyright',
    { category: 'INTELLECTUAL_PROPERTY_INFRINGEMENTS', weight: 1 },
    {
      en: {
        title: 'Copyright and trademarks',
        text: 'Only post texts, pictures, music and videos that you made yourself or are allowed to use. Don’t use other people’s trademarks to mislead.',
      },
      de: {
        title: 'Urheber- und Markenrecht',
        text: 'Veröffentliche nur Texte, Bilder, Musik und Videos, die du selbst gemacht hast oder verwenden darfst. Benutze fremde Marken nicht, um zu täuschen.',
      },
      ar: {
        title: 'حقوق النشر والعلامات التجارية',
        text: 'انشر فقط ما صنعته بنفسك أو يحقّ لك استخدامه من نصوص وصور وموسيقى ومقاطع مرئية. ولا تستخدم علامات الآخرين التجارية للتضليل.',
      },
    },
  ),
]
