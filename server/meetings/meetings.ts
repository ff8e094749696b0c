// What other parts may use of meetings.
export { meetingRoutes } from './routes.ts'
export { addMeeting } from './add-meeting.ts'
export { busyTimes, removeMeeting } from './store.ts'
