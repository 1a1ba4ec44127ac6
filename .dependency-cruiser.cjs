// The one rule between layers (docs/architecture.md): an import against an arrow fails the build.
const engineFolders =
  'footage|segments|perception|redaction|writing|memory|reading|memopt|importing|rewriting|privacy|evaluation|engine|hosts|sample';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'contract-stands-alone',
      severity: 'error',
      from: { path: '^core/contract', pathNot: '\\.test\\.ts$' },
      to: { path: '^(core/(?!contract)|models|electron|renderer)' },
    },
    {
      name: 'models-know-no-domain',
      severity: 'error',
      from: { path: '^models' },
      to: { path: '^(core|electron|renderer|e2e)' },
    },
    {
      name: 'renderer-talks-through-the-contract',
      severity: 'error',
      from: { path: '^renderer' },
      to: { path: `^(core/(${engineFolders})|models|electron)` },
    },
    {
      name: 'core-knows-no-shell',
      severity: 'error',
      from: { path: '^core' },
      to: { path: '^(electron|renderer|e2e)' },
    },
    {
      name: 'hosts-and-engine-are-the-top-of-core',
      severity: 'error',
      from: { path: '^core/(?!hosts|engine|evaluation)', pathNot: '\\.test\\.ts$' },
      to: { path: '^core/(hosts|engine)' },
    },
    {
      name: 'one-door-to-lancedb',
      severity: 'error',
      from: { path: '^(core|electron|renderer)', pathNot: '^core/memory/' },
      to: { path: 'node_modules/@lancedb' },
    },
    {
      name: 'onnx-only-in-models',
      severity: 'error',
      from: { path: '^(core|electron|renderer)' },
      to: { path: 'node_modules/(onnxruntime-node|@huggingface/transformers|@gutenye)' },
    },
    {
      name: 'shell-only-in-electron',
      severity: 'error',
      from: { path: '^(core|models|renderer)', pathNot: '^core/hosts/bin' },
      to: { path: 'node_modules/electron/' },
    },
    {
      name: 'one-door-to-processes',
      severity: 'error',
      from: {
        path: '^(core|models|renderer)',
        pathNot: '^(core/footage/ffmpeg|core/engine/processes|core/hosts)|\\.test\\.ts$',
      },
      to: { path: '^(node:)?child_process$', dependencyTypes: ['core'] },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { pathNot: '\\.test\\.tsx?$' },
      to: { path: '\\.test\\.tsx?$' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.build)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
