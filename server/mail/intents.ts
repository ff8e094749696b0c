import { newWords } from './replies.ts'
import { hasWords } from './words.ts'

export type Intent =
  | 'interested'
  | 'not_interested'
  | 'meeting_request'
  | 'question'
  | 'out_of_office'
  | 'unsubscribe'
  | 'other'

/** People say what they want in the beginning. */
const MAX_CHARS = 3_000

/** First match wins: what must not be missed comes first, and a "no" beats the "yes" inside it. */
const RULES: readonly (readonly [Intent, RegExp])[] = [
  [
    'out_of_office',
    /\b(?:(?:i am|i'm|i will be|i'll be) (?:currently |presently )?(?:out of (?:the )?office|away from (?:the office|my desk|my email)|on (?:annual |parental |maternity |sick )?(?:leave|holiday|vacation))|out of (?:the )?office (?:until|from|reply|message|notice)|currently out of (?:the )?office|automatic reply|auto-?reply|ich bin (?:derzeit |momentan |aktuell )?(?:nicht im (?:büro|haus)|im urlaub|abwesend)|abwesenheitsnotiz|je suis (?:actuellement )?(?:absente?|en congés?)|estoy fuera de la oficina|estaré fuera|fuera de la oficina|de vacaciones hasta)\b/iu,
  ],
  [
    'unsubscribe',
    /\bunsubscribe\b|\b(?:please )?(?:remove|delete|take) (?:me|us|my (?:e-?mail|address|name|data|details))\b(?!.{0,20}\b(?:off guard|through|to)\b)|\bopt(?:ing)?[- ]?(?:me )?out\b|\bstop (?:e-?mailing|contacting|sending|spamming|writing|messaging|these|this|it)\b|^\s*stop[.! ]*$|\b(?:do not|don't|never) (?:e-?mail|contact|write(?: to)?|message|send) (?:me|us)(?: again| any ?more| further|\b)|\btake me off\b|\bcease (?:and desist|all)\b|\baustragen\b|\babmelden\b|\babbestellen\b|\bkeine (?:weiteren )?(?:e-?mails|nachrichten|werbung) mehr\b|\bschreiben sie mir nicht\b|\bdésabonne\w*|\bdésinscri\w*|\bne (?:me )?(?:contactez|m'écrivez) plus\b|\bretirez[- ]moi\b|\bdarme de baja\b|\bdar de baja\b|\bcancelar (?:la |mi )?suscripci[oó]n\b|\bno me (?:escriba|contacte|env[ií]e)\w*/imu,
  ],
  [
    'not_interested',
    /\b(?:not|n't|no longer|never|isn't|aren't) (?:really |currently |at all |very |particularly |be |that )*(?:interested|looking for|in the market|in need|a (?:good )?fit|relevant|a priority|for us|for me|for now)\b|\b(?:un|dis)interested\b|\bno,? thank(?:s| you)\b|\bno interest\b|\b(?:we|i)(?:'ll| will)? (?:have to |must |respectfully |politely )*(?:pass|decline)\b|\bnot (?:now|at this time|at the moment)\b|\bwe(?:'re| are) (?:all set|good|happy with (?:our|what)|fine)\b|\balready (?:have|use|using|work with|got) (?:a|an|our|another|someone|something)\b|\bdon't (?:need|want)\b|\bdo not (?:need|want)\b|\bwrong person\b|\b(?:kein|nicht) (?:interesse|interessiert|bedarf)\b|\bkein(?:en)? (?:interesse|bedarf)\b|\bnein,? danke\b|\bpas (?:du tout )?intéressée?s?\b|\bnon,? merci\b|\bpas besoin\b|\bno (?:estoy|estamos|me|nos) (?:interesad\w+|interesa)\b|\bno,? gracias\b/iu,
  ],
  [
    'meeting_request',
    /\b(?:(?:let's|let us|could we|can we|shall we|should we|would like to|love to|happy to|want to|i'd like to|we'd like to|able to|please|to|you) (?:\w+ ){0,3}?(?:schedule|set up|arrange|book|meet|talk|speak|chat|hop on|jump on|have a (?:call|chat|meeting|talk|quick)|get on a call|connect)\b|(?:schedule|set up|arrange|book) (?:a|an|some) (?:\w+ ){0,2}?(?:call|meeting|demo|time|chat|slot|appointment)|(?:a|quick|short|zoom|teams|phone|video|intro\w*|next) (?:call|meeting|demo|chat)\b.{0,60}\b(?:monday|tuesday|wednesday|thursday|friday|tomorrow|week|today|am|pm|o'clock|\d{1,2}[:.]\d{2})|(?:are|would) you (?:be )?(?:free|available)\b|what time (?:works|suits|would)|(?:i'm|i am|we are|we're) (?:free|available) (?:on|at|next|this|tomorrow|after|between|from)|(?:call|ring) me\b|give me a (?:call|ring)|calendly\.com|send (?:me |over |us )?(?:a |an |the |your )?(?:calendar|invite|availability)|how about (?:a call|monday|tuesday|wednesday|thursday|friday|tomorrow|next week))|\b(?:termin (?:vereinbaren|machen|ausmachen|vorschlagen)|terminvorschl\w+|telefonieren|anrufen|rufen sie (?:mich|uns)|treffen wir uns|wann (?:passt|haben sie|hätten sie))\b|\b(?:rendez-vous|nous appeler|s'appeler|appelez[- ]moi|quand êtes-vous disponible|une réunion|un appel)\b|\b(?:una reuni[oó]n|una llamada|ll[aá]m[ae]me|agendar|concertar|reunirnos|quedar (?:el|la))\b/iu,
  ],
  [
    'interested',
    /\b(?:(?:i'm|i am|we're|we are|very|quite|definitely|be|really|would be|am|are) (?:\w+ )?interested|interested in|sounds (?:good|great|interesting|perfect|promising|like a plan)|(?:tell|send|share|give) (?:me|us) (?:a bit |some |the )?(?:more|details|information|info|pricing|prices|a quote|your (?:pricing|rates|deck|brochure))|(?:would|'d) (?:like|love) to (?:know|hear|learn|see|find out|try) (?:more|it|this|that|a)?|let's (?:do it|go ahead|proceed|move forward)|count (?:me|us) in|yes,? please|please (?:send|share|go ahead|proceed)|looking forward to (?:hearing|learning|seeing|it)|keen to)\b|\b(?:klingt (?:gut|interessant|spannend)|(?:bin|sind|wäre|wären) (?:\w+ )?(?:sehr )?interessiert|(?:habe|haben) interesse|gerne mehr|mehr (?:informationen|infos|erfahren)|schicken sie (?:mir|uns))\b|\b(?:(?:suis|sommes|serais|serions) (?:très )?intéressée?s?|ça m'intéresse|cela m'intéresse|nous intéresse|en savoir plus|envoyez[- ](?:moi|nous))\b|\b(?:(?:estoy|estamos|estar[ií]a) (?:muy )?interesad\w+|me interesa|nos interesa|suena (?:bien|interesante)|m[aá]s informaci[oó]n|env[ií](?:eme|enos|ame))\b/iu,
  ],
  [
    'question',
    /[?？؟](?:\s|$|["')])|^\s*(?:what|how|when|where|who|why|which|can you|could you|do you|does|is there|are there)\b[^.!]{3,}$|\b(?:i have a question|wondering (?:if|whether|how)|eine frage|une question|una pregunta)\b/imu,
  ],
]

/**
 * What the sender wants, by rules on his new words only. Conservative: where nothing speaks plainly, 'other'. English
 * first, the common phrases in German, French and Spanish too.
 */
export function classifyReply(text: string): Intent {
  const words = newWords(text)
    .slice(0, MAX_CHARS)
    .replace(/[’‘`´]/g, "'")
    .replace(/[ \t]+/g, ' ')
  if (!hasWords(words)) return 'other'
  // Links carry words like "unsubscribe" that nobody wrote.
  const spoken = words.replace(/https?:\/\/(?!calendly\.com)\S+/gi, '')
  return RULES.find(([, rule]) => rule.test(spoken))?.[0] ?? 'other'
}
