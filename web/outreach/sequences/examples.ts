import { SEQUENCE_DEFAULTS, type SequenceStep } from '#contract/outreach/sequences.ts'

/** A sequence to begin with. What stands in square brackets is to be replaced. */
export type SequenceExample = {
  key: string
  name: string
  /** When it is of use, in a sentence. */
  purpose: string
  steps: readonly SequenceStep[]
}

const SIGNED = `{{ my_name }}
{% if my_company %}
{{ my_company }}
{% endif %}`

const mail = (id: number, subject: string, body: string): SequenceStep => ({
  id,
  kind: 'mail',
  template_id: null,
  subject,
  body: `{{ greeting }},\n\n${body}\n\n${SIGNED}`,
  same_conversation: subject === '',
})
const wait = (id: number, amount: number): SequenceStep => ({
  id,
  kind: 'wait',
  amount,
  unit: 'working_days',
})
const task = (id: number, title: string): SequenceStep => ({ id, kind: 'task', title, due_in_days: 0 })

export const EXAMPLES: readonly SequenceExample[] = [
  {
    key: 'first-contact',
    name: 'First contact',
    purpose: 'Three short emails over two weeks to people who do not know you yet.',
    steps: [
      mail(
        1,
        '[Coffee] for {{ company | default: "you" }}',
        `I am {{ my_name }}{% if my_company %} from {{ my_company }}{% endif %}. [We roast coffee by the harbour and bring it to cafés the next morning.]

May I [bring you a bag to try on Tuesday]?`,
      ),
      wait(2, 3),
      mail(
        3,
        '',
        `Perhaps my email came on a busy day, so here it is in one sentence: [we roast on Monday, you have it on Tuesday, and you pay for what you sell].

Is that something for you?`,
      ),
      wait(4, 7),
      mail(
        5,
        '',
        `This is my last email about this. If [coffee] becomes a topic later, an answer to this mail reaches me.

Is there somebody else{% if company %} at {{ company }}{% endif %} whom I should ask?`,
      ),
    ],
  },
  {
    key: 'after-a-fair',
    name: 'After a fair',
    purpose: 'Two emails and a call to people you have met: while they still know your face.',
    steps: [
      mail(
        1,
        'We met at [the food fair]',
        `It was good to talk to you at [the food fair]. You asked about [small deliveries]: [we bring from two kilos on, twice a week].

Shall I send you [our price list]?`,
      ),
      wait(2, 4),
      {
        id: 3,
        kind: 'condition',
        if: { about: 'tag', tag: 'Customer' },
        met: 'end',
        otherwise: 'next',
      },
      mail(
        4,
        '',
        `I promised [a sample], and it stands here with your name on it. [A bag of what you tasted at our stand.]

To which address may I send it?`,
      ),
      wait(5, 3),
      task(6, 'Call {{ name }}: met at [the food fair], no answer yet'),
    ],
  },
  {
    key: 'quotes',
    name: 'Quotes not answered',
    purpose: 'Asks twice about a quote, then reminds you to call. It stops when somebody replies or pays.',
    steps: [
      wait(1, 3),
      mail(
        2,
        'Your quote',
        `On [Monday] I sent you a quote for [the new counter]. Is there anything in it that I should explain or change?`,
      ),
      wait(3, 5),
      mail(
        4,
        '',
        `The prices of my quote hold until [the end of the month]. [If we order the wood this week, the counter stands in June.]

Shall I go ahead, or is it too early?`,
      ),
      wait(5, 2),
      task(6, 'Call {{ name }} about the quote'),
    ],
  },
]

/** What a new sequence is made of: that of an example, or an empty one. */
export const draftOf = (example: SequenceExample | null) => ({
  ...SEQUENCE_DEFAULTS,
  name: example?.name ?? 'New sequence',
  steps: [...(example?.steps ?? [])],
})
