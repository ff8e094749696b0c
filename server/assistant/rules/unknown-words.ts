const GRAMMAR = `a about again all already also am an and any anybody anyone anything are as ask at be been being by can come comes
  could did do does doing done everybody everyone far for from get gets give go going got had has have hello here how i if in
  is it its just know left let like list long many me mine more much must my need needs new next nobody not now of ok on one ones
  only or our out people please put right see shall should show so some somebody someone something still tell than that the
  their them then there these they this those time times to too up us want wants was we went were what when where which who whom
  whose why will with would yes yet you your isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't
  couldn't shouldn't won't i'm i've we've we're what's who's how's when's where's it's that's there's you're they're`

const TIME = `today tonight tomorrow yesterday day days week weeks weekend month months year years quarter morning afternoon
  evening noon midday last past this coming monday tuesday wednesday thursday friday saturday sunday january february march
  april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec am pm
  o'clock early late later earlier next first second third one two three four five six seven`

/** Words that rules of questions turn on or may pass over without a change of meaning. */
const SUBJECTS = `address agenda answer answered answers anyone appointment appointments asked available bill bills book busy
  business calendar call calls client clients contact contacts count customer customers debtor debtors draft drafts due email
  emailed emails e-mail e-mails figures find followup free gap gaps hour hours inbox interest interested invoice invoices
  invoiced issued kpis late latest lead leads look mail mailed mails meet meeting meetings message messages metrics missing
  money newest number numbers open outstanding overdue overview owe owed owes owing paid pay pays payment payments
  pending person phone plan planned plans question questions rate read recent reminder replied replies reply replying
  respond responded response responses reached revenue sales schedule scheduled search seeing send sent silent
  slot slots spare starred stats statistics summary task tasks things to-do to-dos todo todos total turnover unanswered unpaid
  unread waiting write written wrote income takings earn earned earning make made making take taken took sell sold behind
  back heard hear chase follow-up follow do's doing days' respond upcoming today's tomorrow's week's month's lunch coffee demo
  session interview chat catch-up video happening anything's set-up happen completed complete done finished euro euros eur
  dollars usd pounds gbp decline declined holiday office no gone quiet said says turned down scheduled number of`

const KNOWN = new Set(`${GRAMMAR} ${TIME} ${SUBJECTS}`.split(/\s+/))

/** Words of a question that no rule knows: whom or what it is about, or something that the rules do not understand. */
export function unknownWords(text: string): string[] {
  return (text.match(/[\p{L}\p{N}@.+'-]+/gu) ?? [])
    .map((word) => word.replaceAll(/^[.'-]+|[.'-]+$/g, ''))
    .filter((word) => word !== '' && !/^\d+(?:[.:]\d+)*(?:st|nd|rd|th|am|pm|h)?$/i.test(word))
    .filter((word) => {
      const lower = word.toLowerCase()
      return !KNOWN.has(lower)
    })
}
