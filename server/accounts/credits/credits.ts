// What other domains may use of credits.
export { balanceOf, creditsOf, giveCredits, spendCredits, startCreditLoops } from './ledger.ts'
