// Loads a CloudFormation template as the CDK does, with the schema of each resource type, and says what is wrong with it; or
// prints it as JSON, where nothing is.
const { App, Stack } = require('aws-cdk-lib');
const { CfnInclude } = require('aws-cdk-lib/cloudformation-include');

// What a policy may allow at all: an application neither makes nor changes its queues and its table, and never reads all of it.
const ALLOWED = [
  'sqs:GetQueueUrl',
  'sqs:GetQueueAttributes',
  'sqs:ReceiveMessage',
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:SendMessage',
  'dynamodb:DescribeTable',
  'dynamodb:GetItem',
  'dynamodb:UpdateItem',
];
const PARTS = ['Sid', 'Effect', 'Action', 'Resource'];

// Of one statement: each part is there, and nothing else; what it allows is known; each resource is one of this template.
function problemsOfStatement(statement) {
  const resources = [statement.Resource].flat();
  return [
    ...Object.keys(statement).filter((part) => !PARTS.includes(part)).map((part) => `${part} is not for these policies`),
    ...PARTS.filter((part) => !(part in statement)).map((part) => `${part} is missing`),
    ...(statement.Effect === 'Allow' ? [] : [`the effect ${statement.Effect}`]),
    ...[statement.Action].flat().filter((action) => !ALLOWED.includes(action)).map((action) => `${action} is not to be allowed`),
    ...resources
      .filter((resource) => [resource?.['Fn::GetAtt']].flat().join('.').split('.')[1] !== 'Arn')
      .map((resource) => `the resource ${JSON.stringify(resource)} is not the ARN of one of this template`),
  ];
}

function problemsOfPolicies(resources) {
  return Object.entries(resources)
    .filter(([, resource]) => resource.Type.startsWith('AWS::IAM::'))
    .flatMap(([name, resource]) =>
      (resource.Type === 'AWS::IAM::ManagedPolicy'
        ? [resource.Properties.PolicyDocument.Statement].flat().flatMap(problemsOfStatement)
        : [`${resource.Type} is not looked into`]
      ).map((problem) => `${name}: ${problem}`),
    );
}

const app = new App({ context: { '@aws-cdk/core:validateAgainstDefaultRules': true } });
const stack = new Stack(app, 'once');
try {
  new CfnInclude(stack, 'template', { templateFile: process.argv[2] });
  const problems = stack.node.findAll().flatMap((child) => child.node.validate().map((p) => `${child.node.path}: ${p}`));
  const template = app.synth().getStackByName('once').template;
  problems.push(...problemsOfPolicies(template.Resources));
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exit(1);
  }
  console.log(JSON.stringify(template));
} catch (problem) {
  console.error(problem.message);
  process.exit(1);
}
