import type { HouseTemplate } from '#contract/outreach/templates.ts'

// Templates to begin with. What stands in square brackets is an example, told by a small coffee roastery: whoever uses
// the template puts their own words in its place, and nothing is sent before that. Each asks one question.

const SIGNED = `{{ my_name }}
{% if my_company %}
{{ my_company }}
{% endif %}`

/** The templates that everybody has, in the order of a business relation. */
export const HOUSE_TEMPLATES: readonly HouseTemplate[] = [
  {
    key: 'introduction',
    name: 'Introduction',
    purpose: 'The first mail to somebody who does not know you.',
    subject: '[Coffee from the harbour]{% if company %} for {{ company }}{% endif %}',
    body: `{{ greeting }},

I am {{ my_name }}{% if my_company %} from {{ my_company }}{% endif %}. [We roast coffee by the harbour and bring it to cafés the next morning.]

I am writing{% if company %} to {{ company }}{% else %} to you{% endif %} because [our van drives down your street at six, and you open at seven].

May I [bring you a bag to try on Tuesday]?

${SIGNED}`,
  },
  {
    key: 'offer',
    name: 'Offer',
    purpose: 'What you suggest, what it costs, and until when.',
    subject: 'Our offer{% if company %} for {{ company }}{% endif %}: [38 euros a delivery]',
    body: `{{ greeting }},

Here is what I suggest{% if company %} for {{ company }}{% endif %}: [two kilos of espresso a week, brought every Tuesday before eight, for 38 euros a delivery].

[There is no contract. One call, and it ends.] The price holds until [30 June].

Shall I put you down for [Tuesday, 4 June]?

${SIGNED}`,
  },
  {
    key: 'invitation',
    name: 'Invitation',
    purpose: 'An open day, a tasting, a talk, a trade fair.',
    subject: '[Tasting on Thursday, 12 May]: may I keep a place for you?',
    body: `{{ greeting }},

On [Thursday, 12 May, from four to six] we [open five new coffees in our roastery, 9 Harbour Street]. [You taste, you ask the roaster, and you take home the one you like.]

You are welcome to bring [one guest]{% if company %} from {{ company }}{% endif %}.

May I keep a place for you?

${SIGNED}`,
  },
  {
    key: 'follow-up',
    name: 'Follow-up',
    purpose: 'A second mail, when the first one was not answered.',
    subject: 'About [coffee]{% if company %} for {{ company }}{% endif %}, in one sentence',
    body: `{{ greeting }},

I wrote to you [last week] about [coffee for your counter]. Perhaps it came on a busy day, so here it is in one sentence: [we roast on Monday, you have it on Tuesday, and you pay for what you sell].

Is that something for you{% if company %} at {{ company }}{% endif %}? A plain no is fine too; then I will not ask again.

${SIGNED}`,
  },
  {
    key: 'price-list',
    name: 'Price list',
    purpose: 'New prices, and what can still be had for the old ones.',
    subject: 'Our prices from [1 March]',
    body: `{{ greeting }},

Our new prices apply from [1 March]. Here they are: [link to the price list].

What changes: [espresso costs one euro more a kilo; filter coffee stays as it is]. Anything you order by [28 February] is still at the old price.

Is there anything that you would like to order before then?

${SIGNED}`,
  },
  {
    key: 'review',
    name: 'Review',
    purpose: 'Asks a customer how it was.',
    subject: 'How was [the first month]{% if first_name %}, {{ first_name }}{% endif %}?',
    body: `{{ greeting }},

[You have been brewing our coffee for a month now.] How has it been, good or bad?

If you have two minutes, please write it down here: [link to your reviews]. [Other cafés] read it before they decide.

And if something was not right, answer this mail instead. It comes to me, and I will see to it.

${SIGNED}`,
  },
  {
    key: 'thanks',
    name: 'Thanks',
    purpose: 'After an order, a visit or a payment.',
    subject: 'Thank you for [your order]',
    body: `{{ greeting }},

Thank you for [your first order]. [It left us this morning and will be with you tomorrow before eight.]

If anything is missing or not as you expected, answer this mail. It comes to me, and I will put it right.

Is there something that we should know for the next time?

${SIGNED}`,
  },
  {
    key: 'win-back',
    name: 'Win-back',
    purpose: 'To a customer who has been silent for a while.',
    subject: '{% if first_name %}{{ first_name }}, what{% else %}What{% endif %} should we do differently?',
    body: `{{ greeting }},

[Our last delivery to you was in March], and I do not know why it was the last. If we did something wrong, I would rather hear it than guess.

Since then one thing is new: [we deliver on Saturdays too].

What would have to be different for you to [order again]?

${SIGNED}`,
  },
  {
    key: 'reminder',
    name: 'Reminder',
    purpose: 'Before an appointment, a visit or a deadline.',
    subject: 'Reminder: [tasting on Thursday, 12 May]',
    body: `{{ greeting }},

A short reminder: [the tasting is on Thursday, 12 May, at four o’clock, 9 Harbour Street].

[If you want your grinder set, bring it along.]

Does the time still suit you? If not, answer with another one, and I will see what I can do.

${SIGNED}`,
  },
  {
    key: 'referral',
    name: 'Referral',
    purpose: 'Asks a good customer who else you should talk to.',
    subject: 'Do you know [one café] that we should talk to?',
    body: `{{ greeting }},

Most people who buy from us{% if my_company %} at {{ my_company }}{% endif %} came because somebody told them. [You have been with us for two years], so I am asking you:

Is there [one café] that we should talk to? A name is enough. I will only say that it comes from you if you want me to.

[If they order, your next delivery is on us.]

${SIGNED}`,
  },
]
