/**
 * Spellings of Taglish chats, by the word that they stand for. `spellings`: other ways to write the word. `meanings`: other
 * words for it. All are normalised by `comparable`; a meaning may have several words.
 */
const words: Record<string, { spellings?: string; meanings?: readonly string[] }> = {
  magkano: {
    spellings: 'magkanu magknu mgkanu mgkno mgknu mkano magkanong',
    meanings: ['hm', 'how much', 'howmuch', 'pila', 'tagpila'],
  },
  saan: { spellings: 'san nasaan nasan asan saang', meanings: ['where', 'asa'] },
  kailan: { spellings: 'kelan kaylan kylan kln', meanings: ['when', 'kanus a'] },
  paano: { spellings: 'pano panu pnu pno paanong papano', meanings: ['how', 'unsaon'] },
  ano: { spellings: 'anu anong anung', meanings: ['what'] },
  sino: { spellings: 'cno sinu sinong', meanings: ['who'] },
  bakit: { spellings: 'bkit bkt bat', meanings: ['why'] },
  meron: { spellings: 'mayroon mron merong mern', meanings: ['naay'] },
  pwede: { spellings: 'puwede pwd pwde pede puede pwedeng' },
  available: { spellings: 'avail avlbl availble availabe' },
  deliver: { spellings: 'dlver deliber dliver' },
  delivery: { spellings: 'dlvry deliberi dlivery dlvery' },
  ngayon: { spellings: 'ngaun ngayun ngyon nyon' },
  bukas: { spellings: 'bks bukaz' },
  kayo: { spellings: 'kau kyo kayu' },
  ito: { spellings: 'itu eto' },
  gcash: { spellings: 'gkash jcash gcsh' },
  order: { spellings: 'ordr odr' },
}

/** What a written word or phrase stands for. */
export type Variant = { word: string; kind: 'spelling' | 'meaning' }

const variants = new Map<string, Variant>(
  Object.entries(words).flatMap(([word, { spellings, meanings }]) => [
    ...(spellings?.split(' ') ?? []).map((one): [string, Variant] => [one, { word, kind: 'spelling' }]),
    ...(meanings ?? []).map((one): [string, Variant] => [one, { word, kind: 'meaning' }]),
  ]),
)

/** The word that a spelling or a phrase of words stands for; undefined if it stands for itself. */
export const variantOf = (written: string): Variant | undefined => variants.get(written)

/** Words of politeness and emphasis, without which a sentence asks the same. */
export const particles: ReadonlySet<string> = new Set(
  'po poh pow opo ho oho ba nga naman nman lang lng din rin pa na daw raw pala kasi kc please pls plss sana ma maam sir'.split(
    ' ',
  ),
)

/** Words that turn a sentence into its opposite. */
export const negations: ReadonlySet<string> = new Set(
  'no not dont doesnt didnt cant cannot wont isnt arent without never hindi hnd hndi di wala walang huwag wag ayaw ayoko bawal cancel dili'.split(
    ' ',
  ),
)

/** Frequent words that are one letter from others, so that none of them is taken for a typing error. */
export const frequentWords: ReadonlySet<string> = new Set(
  `about above after again ahead alone along asked asking because before began begin being below black blank board border
  bring broke brown build built carry catch cause chair cheap check child class clean clear clock close color could count
  cover daily dance death doing doubt dozen draft dress drink drive early earth eight empty enjoy enter every exact extra
  false fault field fifth fight final first floor focus found fresh front fruit funny given giving glass going grand great
  green group guess happy heart heavy hello holder horse hotel house human ideal image issue items large later laugh learn
  least leave light limit local lower lunch major maker maybe money month mouth movie music never night noise north older
  other outer owner paint panel paper party peace phase phone piece place plain plant plate point pound power press pride
  prime print prior prize proof proud queen quick quiet quite radio raise range reach ready refuse right river rough round
  scale score sense serve seven shall shape share sharp sheet shift shirt shock shoot short sleep small smart smile smoke
  solid solve sorry sound south space spare speak speed spend sport staff stage stand start state still stock stone store
  story stuff style sugar table taken taste teach thank thanks their there these thick thing think third those three throw
  tight title today total touch tough tower track trade train treat trial truck trust truth twice under union until upper
  usual value video visit voice waste watch water weigh weight where which white whole whose woman world worry would write
  wrong young yours kanina lahat lamang mahal maliit malaki marami matagal mamaya naman nandito nandyan ngunit palagi
  salamat sabihin sige siguro tapos tayong yung walang`.split(/\s+/),
)
