import { useEffect, useRef, useState } from 'react';
import { bytes } from '../../format/amount.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { strings } from '../../strings.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { memoryWords } from './model-words.ts';
import { ReaderSection } from './reader-section.tsx';
import { MODEL_TASK_ORDER } from './task-order.ts';
import { TaskSection } from './task-section.tsx';

/** What each model does, which are here, and fetching others. */
export function ModelsPage() {
  const models = useApp((s) => s.models);
  const problem = useApp((s) => s.modelsProblem);
  const loadModels = useApp((s) => s.loadModels);
  const connected = useApp((s) => s.connection === 'open');
  const { locale } = usePlace();
  const inHand = useRef<string | null>(null);
  // A command line may have fetched or removed one meanwhile.
  useEffect(() => {
    if (connected) void loadModels();
  }, [connected, loadModels]);
  return (
    <Page title={strings.models.title} className="models">
      <p className="lead">{strings.models.lead}</p>
      <Offline />
      {problem ? <ProblemNotice problem={problem} onRetry={() => void loadModels()} /> : null}
      {!models && !problem ? <p className="aside-text working">{strings.loading}</p> : null}
      {models ? (
        <>
          <ReaderSection />
          {MODEL_TASK_ORDER.map((task) => {
            const view = models.tasks.find((one) => one.task === task);
            return view ? (
              <TaskSection
                key={task}
                view={view}
                computerMemoryMb={models.computerMemoryMb}
                inHand={inHand}
              />
            ) : null;
          })}
          <dl className="facts">
            <dt>{strings.models.dir}</dt>
            <dd className="path">{models.dir}</dd>
            <dt>{strings.models.free}</dt>
            <dd>{bytes(models.freeBytes, locale)}</dd>
            <dt>{strings.models.memory}</dt>
            <dd>{memoryWords(models.computerMemoryMb, locale)}</dd>
          </dl>
          <details className="elsewhere">
            <summary>{strings.models.elsewhere}</summary>
            <ul>
              {strings.models.elsewhereLines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        </>
      ) : null}
    </Page>
  );
}

/** A browser knows for sure only that there is no network at all; that is said before anybody tries. */
function Offline() {
  const [offline, setOffline] = useState(() => !navigator.onLine);
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine);
    window.addEventListener('online', look);
    window.addEventListener('offline', look);
    return () => {
      window.removeEventListener('online', look);
      window.removeEventListener('offline', look);
    };
  }, []);
  if (!offline) return null;
  return (
    <Notice tone="remark" title={strings.models.offline}>
      <p>{strings.models.offlineNext}</p>
    </Notice>
  );
}
