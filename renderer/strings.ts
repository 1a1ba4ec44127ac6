/** Every sentence a person reads, in one place. English first; a second language is a second object of this shape. */

import type { ClaimSource } from '../core/contract/episode.ts';
import type { FileOutcome, FileStage, ImportState } from '../core/contract/importing.ts';
import type { CameraFamily, ClockBasis } from '../core/contract/recording.ts';

const many = (n: number, one: string, more: string) =>
  `${new Intl.NumberFormat('en').format(n)} ${n === 1 ? one : more}`;

export const strings = {
  name: 'Footnote',
  skip: 'Skip to the page',
  nav: { label: 'Pages', ask: 'Ask', days: 'Days', add: 'Add footage', library: 'Library' },
  close: 'Close',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  loading: 'One moment…',
  episodes: (n: number) => many(n, 'episode', 'episodes'),
  recordings: (n: number) => many(n, 'recording', 'recordings'),
  files: (n: number) => many(n, 'file', 'files'),

  connection: {
    lost: 'Footnote’s engine is not answering. Connecting again…',
    back: 'Connected again.',
    help: 'If this stays, start Footnote again and open the address it prints.',
  },

  firstRun: {
    title: 'Your own days, with footnotes',
    lead: 'Drop in the footage from your camera, glasses or phone, and Footnote reads it into a diary of short episodes. Then ask what you want to know: every answer shows the moments it rests on, and plays them.',
    sample: 'No footage at hand?',
    sampleButton: 'Make a sample day',
    sampleBusy: 'Drawing and filming the sample day. This takes a minute or two…',
    sampleNote:
      'Draws a few minutes of made-up footage on this computer and imports it, so that you can try everything.',
    staysTitle: 'What stays on this computer',
    stays: [
      'Everything. Nothing is sent anywhere; there is no account.',
      'Your files are read and never changed or moved.',
      'Kept are the written episodes, small clips and still pictures, with faces blurred before they are saved.',
      'You can make Footnote forget a moment, a recording or all of it.',
    ],
  },

  take: {
    dropHere: 'Drop footage here',
    dropNote: 'files, folders or a whole memory card',
    overlay: 'Let go to add this footage',
    chooseFiles: 'Choose files…',
    chooseFolder: 'Choose a folder…',
    pathLabel: 'Or type where it lies on this computer',
    pathHint: 'A file or a folder. It is read in place and not copied.',
    pathPlaceholder: '/media/card/DCIM',
    pathButton: 'Read it',
    pathMissing: 'Type the path of a file or folder first.',
    uploadNote:
      'What is dropped into a browser is copied to the library first. For footage already on this computer, typing its path is quicker.',
    copying: (done: number, all: number, name: string) => `Copying file ${done} of ${all}: ${name}`,
    copyingLabel: 'Copying to the library',
    copyFailed: (name: string) => `${name} could not be copied into the library.`,
    copyFailedNext:
      'Nothing was imported. Check that there is room on the disk, then drop it again, or type its path instead.',
    nothing: 'There was no file in what you dropped.',
  },

  options: {
    title: 'Clock, time zone and sound',
    shift: 'The camera’s clock was',
    shiftRight: 'right',
    shiftSlow: 'slow by',
    shiftFast: 'fast by',
    shiftAmount: 'Hours and minutes it was off',
    shiftHint: 'For example 1:30 for an hour and a half.',
    shiftWrong: 'Write hours and minutes like 1:30.',
    zone: 'Time zone of the camera',
    zoneHint: 'Leave empty to work it out from GPS, or else use this computer’s.',
    zoneWrong: 'This time zone is not known. Choose one from the list, such as Europe/Warsaw.',
    sound: 'Keep the sound in the stored clips',
    soundHint: 'Off unless you say so: voices of others are in it.',
  },

  importing: {
    title: 'Add footage',
    state: {
      scanning: 'Looking through the files',
      running: 'Reading',
      paused: 'Paused',
      done: 'Finished',
      cancelled: 'Cancelled',
      failed: 'Stopped by a problem',
    } satisfies Record<ImportState, string>,
    progressLabel: 'Footage read',
    footage: (done: string, all: string) => `${done} of ${all} of footage`,
    speed: (ratio: string) => `${ratio} × real time`,
    left: (time: string) => `about ${time} left`,
    leftUnknown: 'working out how long it takes',
    pause: 'Pause',
    resume: 'Resume',
    cancel: 'Cancel',
    cancelNote: 'What has been read so far is kept.',
    retry: 'Try the unreadable files again',
    earlier: 'Earlier imports',
    table: 'Every file and what became of it',
    columns: { file: 'File', stage: 'What happened', footage: 'Footage', episodes: 'Episodes' },
    stage: {
      waiting: 'waiting',
      reading: 'being read',
      writing: 'being written down',
      done: 'done',
      failed: 'failed',
    } satisfies Record<FileStage, string>,
    outcome: {
      imported: 'Imported',
      sidecar: 'Companion file',
      duplicate: 'Already in the library',
      skipped: 'Skipped',
      unreadable: 'Could not be read',
      cancelled: 'Not read: cancelled',
      pending: 'Not read yet',
    } satisfies Record<FileOutcome, string>,
    counted: {
      imported: (n: number) => `${n} imported`,
      sidecar: (n: number) => many(n, 'companion file', 'companion files'),
      duplicate: (n: number) => `${n} already in the library`,
      skipped: (n: number) => `${n} skipped`,
      unreadable: (n: number) => `${n} that could not be read`,
      cancelled: (n: number) => `${n} cancelled`,
      pending: (n: number) => `${n} still to read`,
    } satisfies Record<FileOutcome, (n: number) => string>,
    summary: (files: number, parts: string) => `${many(files, 'file', 'files')}: ${parts}.`,
    allKnown: 'All of this was in the library before.',
    nothingFound: 'There was no footage in it.',
    seeDays: 'Read the day',
    ask: 'Ask about it',
    quarter: (percent: string) => `${percent} of the footage is read.`,
    started: (when: string) => `Started ${when}`,
    headline: (state: string) => `Import: ${state.toLowerCase()}`,
  },

  days: {
    title: 'Days',
    list: 'Days with footage',
    empty: 'No footage yet.',
    emptyNext: 'Add some and its days appear here.',
    addLink: 'Add footage',
    dayLine: (episodes: string, length: string) => `${episodes}, ${length}`,
    more: 'Show later episodes',
    gap: (length: string) => `${length} later`,
    gapInside: (length: string) => `${length} not recorded`,
    choose: 'Choose an episode to read it whole and play it.',
    recordingMenu: 'About this recording',
    camera: 'Camera',
    clock: 'Clock',
    clockUncertain: 'This time is uncertain.',
    chapters: 'Files',
    missing: (length: string) => `${length} of footage missing before this file`,
    family: {
      gopro: 'GoPro',
      dji: 'DJI',
      insta360: 'Insta360',
      'ray-ban-meta': 'Ray-Ban Meta',
      phone: 'Phone',
      other: 'Other camera',
    } satisfies Record<CameraFamily, string>,
    basis: {
      corrected: 'corrected by you',
      gps: 'from GPS',
      creation_time: 'as the camera wrote it into the file',
      file_name: 'from the file name',
      file_date: 'from the file’s date only',
    } satisfies Record<ClockBasis, string>,
    zoneNote: (zone: string) => `Times as they were there (${zone}).`,
  },

  episode: {
    label: 'Episode',
    claims: 'What this rests on',
    transcript: 'What was said',
    visibleText: 'What could be read',
    unknownSpeaker: 'Someone',
    writer: (name: string, version: string) => `Written by ${name} ${version}`,
    source: {
      'speech-sidecar': 'subtitle file',
      'speech-embedded': 'subtitles in the file',
      'speech-recognised': 'speech recognition',
      'visible-text': 'text in the picture',
      faces: 'face detection',
      motion: 'camera motion',
      light: 'brightness',
      sound: 'sound',
      telemetry: 'camera sensors',
      container: 'the file itself',
      'vision-model': 'vision model',
    } satisfies Record<ClaimSource, string>,
    sure: (percent: string) => `${percent} sure`,
    noPixels: 'No picture of this was kept.',
    noPixelsWhy: 'Pictures are stored only when faces in them could be found and blurred.',
    keyframeAlt: (time: string, caption: string) => `${time}: ${caption}`,
    previous: 'Previous episode',
    next: 'Next episode',
    forget: 'Forget this episode…',
  },

  player: {
    label: (what: string) => `Clip: ${what}`,
    previous: 'Previous',
    next: 'Next',
    previousLabel: 'Play the previous footnote',
    nextLabel: 'Play the next footnote',
    close: 'Close the clip',
    failed: 'This clip could not be played.',
    failedNext: 'It may have been forgotten, or the disk with the library is not connected.',
    noSeek: 'The clip could not jump to the moment; it plays from its start.',
    captions: 'Subtitles',
  },

  ask: {
    title: 'Ask',
    emptyTitle: 'What would you like to remember?',
    emptyLead: 'Ask in your own words. The answer comes with footnotes to the moments it rests on.',
    examples: [
      'Where did I put my keys?',
      'What was the total on the receipt?',
      'Who did I talk to this morning?',
      'What did I do on Friday?',
    ],
    examplesLabel: 'Questions to begin with',
    box: 'Your question',
    placeholder: 'Ask about your days…',
    send: 'Ask',
    stop: 'Stop',
    stopped: 'You stopped this question.',
    stepReturned: (n: number) => many(n, 'episode', 'episodes'),
    thinking: 'Reading your question…',
    steps: 'How this was looked up',
    nothing: 'Nothing in your footage answers this.',
    nothingNext: 'Other words or another time may help; or look through the day itself.',
    evidence: 'The moments this rests on',
    mark: (n: number, when: string) => `Footnote ${n}: play ${when}`,
    play: (n: number, when: string) => `Play footnote ${n}, ${when}`,
    openEpisode: 'Read the episode',
    credits: (reader: string, writer: string, seconds: string) =>
      `Answered by ${reader} in ${seconds}, from episodes written by ${writer}.`,
    announceAnswer: (footnotes: number) =>
      footnotes === 0
        ? 'The answer is ready.'
        : `The answer is ready, with ${many(footnotes, 'footnote', 'footnotes')}.`,
    empty: 'Write a question first.',
  },

  search: {
    title: 'Find',
    box: 'Find words in your footage',
    placeholder: 'Find words…',
    results: (n: number) =>
      n === 0 ? 'Nothing found' : many(n, 'episode found, in time order', 'episodes found, in time order'),
    nothing: (query: string) => `Nothing in your footage matches “${query}”.`,
    nothingNext:
      'Try fewer or other words. Search knows what was said, what could be read, and what was measured.',
    idle: 'Type what was said, seen or read.',
    askInstead: 'Ask it as a question',
  },

  forget: {
    recordingTitle: 'Forget this recording?',
    episodeTitle: 'Forget this episode?',
    everythingTitle: 'Forget everything?',
    recording: (name: string, when: string) => `${name}: all of ${when}, with every episode in it.`,
    episode: (when: string) => `The episode of ${when}.`,
    everything: (episodes: string) => `All ${episodes} of this library.`,
    goes: 'What goes, from the disk too:',
    what: [
      'the written text and what was heard and read',
      'its entries in the search',
      'its still pictures and clips',
    ],
    stays: 'Your original files stay where they are. This cannot be undone.',
    confirm: 'Forget',
    done: (episodes: string, files: string, bytes: string) => `Forgotten: ${episodes}, ${files}, ${bytes}.`,
    recordingButton: 'Forget this recording…',
    everythingButton: 'Forget everything…',
  },

  library: {
    title: 'Library',
    place: 'Where it lies',
    holds: 'What it holds',
    memory: 'Text and search',
    clips: 'Clips, faces blurred',
    keyframes: 'Still pictures, faces blurred',
    checks: 'What works',
    ok: 'works',
    notOk: 'does not work',
    version: (v: string) => `Footnote ${v}`,
    readOnly: 'Another Footnote has this library open: you can read here, but not add or forget.',
  },

  troubles: { title: 'Something is missing' },

  /** What happened and what to do, by error code. */
  errors: {
    BAD_REQUEST: {
      what: 'Footnote could not make sense of that.',
      next: 'Check what you typed and try again.',
    },
    NOT_FOUND: {
      what: 'This is not in the library any more.',
      next: 'It may have been forgotten. Go back and choose another.',
    },
    LIBRARY_BUSY: {
      what: 'Another Footnote is using this library.',
      next: 'Close the other one, then try again.',
    },
    LIBRARY_TOO_NEW: {
      what: 'This library was made by a newer Footnote.',
      next: 'Update Footnote, or open another library.',
    },
    LIBRARY_UNREADABLE: {
      what: 'The library could not be read.',
      next: 'Check that its disk is connected, then try again.',
    },
    DISK_FULL: {
      what: 'The disk is full.',
      next: 'Free some space, then resume. Nothing already read is lost.',
    },
    FFMPEG_MISSING: {
      what: 'Footage cannot be read: ffmpeg is missing.',
      next: 'Install ffmpeg on this computer and start Footnote again.',
    },
    FILE_MISSING: {
      what: 'There is no such file or folder.',
      next: 'Check the path, and that the card or disk is connected.',
    },
    FILE_EMPTY: { what: 'The file is empty.', next: 'Copy it from the camera again.' },
    FILE_UNFINISHED: {
      what: 'The file was cut off before the camera finished it.',
      next: 'Copy it from the camera again, or repair it with the camera’s own tool.',
    },
    FILE_UNREADABLE: {
      what: 'The file could not be read.',
      next: 'Copy it from the camera again; it may be damaged.',
    },
    FILE_NO_PICTURE: { what: 'The file holds no picture.', next: 'Only films are read; sound alone is not.' },
    FILE_NOT_FOOTAGE: {
      what: 'This is not footage.',
      next: 'Choose films from a camera, glasses or a phone.',
    },
    FACE_MODEL_MISSING: {
      what: 'Faces cannot be found, so no pictures are stored.',
      next: 'Install Footnote again; episodes are still written meanwhile.',
    },
    MODEL_MISSING: {
      what: 'A model that this needs is not here.',
      next: 'See under Library what is missing.',
    },
    MODEL_FAILED: {
      what: 'A model stopped working.',
      next: 'Try again; if it happens again, start Footnote again.',
    },
    PERCEPTION_FAILED: {
      what: 'Reading this footage failed.',
      next: 'Try the file again. The rest was not touched.',
    },
    CANCELLED: { what: 'This was cancelled.', next: 'Start it again whenever you like.' },
    INTERNAL: {
      what: 'Something went wrong inside Footnote.',
      next: 'Try again; if it happens again, start Footnote again.',
    },
    CONNECTION_LOST: {
      what: 'The connection to Footnote’s engine was lost.',
      next: 'It is being opened again; then try once more.',
    },
  },
};
