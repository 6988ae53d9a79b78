// Many hosts answer one at the same time, round one switch, in ns-3.44: the cases of ../data/ns3-incast.json.
// Prints one JSON line. How to build it: docs/validation.md. Run by hand.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"
#include <iostream>
using namespace ns3;

static const double START = 1.0;  // by then every connection has shaken hands
static uint32_t sent = 0, drops = 0, marks = 0, resent = 0, finished = 0, arrived = 0;
static double acknowledged = 0, received = 0;
static std::vector<uint32_t> timeouts;
static bool tracing = false;

static double Clock() { return Simulator::Now().GetSeconds() - START; }
static void Sent(Ptr<const Packet>) { if (Clock() >= 0) sent++; }
static void Dropped(Ptr<const Packet>) { if (Clock() >= 0) drops++; }
static void DroppedItem(Ptr<const QueueDiscItem>) { if (Clock() >= 0) drops++; }
static void Marked(Ptr<const QueueDiscItem>, const char *)
{
  if (Clock() >= 0) marks++;
  if (tracing) std::cerr << Clock() << " mark\n";
}

static void Acknowledged(uint32_t flow, uint32_t total, SequenceNumber32, SequenceNumber32 now)
{
  if (tracing) std::cerr << Clock() << " ack " << flow << " " << (now.GetValue() - 1) / 1448.0 << "\n";
  if (now.GetValue() >= total + 1) { finished++; acknowledged = Clock(); }
}
static void Received(uint64_t total, Ptr<const Packet> packet, const Address &)
{
  arrived += packet->GetSize();
  if (arrived >= total) received = Clock();
}
static void State(uint32_t flow, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t now)
{
  if (tracing) std::cerr << Clock() << " state " << flow << " " << TcpSocketState::TcpCongStateName[now] << "\n";
}
static void Rto(uint32_t flow, Time old, Time now)
{
  if (Clock() >= 0 && now == old + old) timeouts[flow]++;  // backing off is the only doubling
  if (tracing) std::cerr << Clock() << " rto " << flow << " " << now.GetSeconds() << "\n";
}
static void Window(uint32_t flow, uint32_t, uint32_t now)
{
  if (tracing) std::cerr << Clock() << " cwnd " << flow << " " << now / 1448.0 << "\n";
}
static void Flight(uint32_t flow, uint32_t, uint32_t now)
{
  if (tracing) std::cerr << Clock() << " flight " << flow << " " << now / 1448.0 << "\n";
}
static void Transmit(uint32_t flow, Ptr<const Packet> p, const TcpHeader &h, Ptr<const TcpSocketBase>)
{
  if (tracing && p->GetSize() > 0)
    std::cerr << Clock() << " send " << flow << " " << (h.GetSequenceNumber().GetValue() - 1) / 1448.0 << "\n";
}
static void Resent(Ptr<const Packet>, const TcpHeader &, const Address &, const Address &, Ptr<const TcpSocketBase>)
{
  resent++;
}

// A cable whose hosts take up to ``spread`` at random over each packet, order kept; the mean delay is the stated one.
class Cable : public PointToPointChannel
{
public:
  static TypeId GetTypeId()
  {
    static TypeId tid = TypeId("Cable").SetParent<PointToPointChannel>().AddConstructor<Cable>();
    return tid;
  }
  bool TransmitStart(Ptr<const Packet> p, Ptr<PointToPointNetDevice> source, Time time) override
  {
    if (source == host && spread > 0) {
      Time end = Simulator::Now() + time + Seconds(draw->GetValue(-spread / 2, spread / 2));
      latest = Max(latest, end);
      time = latest - Simulator::Now();
    }
    return PointToPointChannel::TransmitStart(p, source, time);
  }
  Ptr<NetDevice> host;
  Time latest;
  static inline double spread = 0;
  static inline Ptr<UniformRandomVariable> draw;
};

static Ptr<PointToPointNetDevice> Port(Ptr<Node> node, Ptr<Cable> cable, double rate, uint32_t packets)
{
  Ptr<PointToPointNetDevice> port = CreateObject<PointToPointNetDevice>();
  port->SetAddress(Mac48Address::Allocate());
  port->SetDataRate(DataRate(uint64_t(rate * 1502.0 / 1500.0)));  // 2 B of PPP per packet: the rate is that of 1500 B
  port->SetQueue(CreateObjectWithAttributes<DropTailQueue<Packet>>(
    "MaxSize", QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, packets))));
  node->AddDevice(port);
  Ptr<NetDeviceQueueInterface> queues = CreateObject<NetDeviceQueueInterface>();
  queues->GetTxQueue(0)->ConnectQueueTraces(port->GetQueue());
  port->AggregateObject(queues);
  port->Attach(cable);
  return port;
}

int main(int argc, char **argv)
{
  uint32_t degree = 8, segments = 44, buffer = 128, threshold = 65, seed = 1, window = 10, every = 1;
  double rate = 10e9, rtt = 80e-6, minrto = 0.01, jitter = 0, delay = 0.04, limit = 20;
  bool sack = true, stamps = true, dctcp = false;
  std::string law = "ns3::TcpNewReno", recovery = "ns3::TcpPrrRecovery";
  CommandLine cmd(__FILE__);
  cmd.AddValue("degree", "hosts that answer", degree);
  cmd.AddValue("segments", "of each answer, full ones", segments);
  cmd.AddValue("buffer", "packets waiting at the receiver's port", buffer);
  cmd.AddValue("threshold", "packets waiting above which DCTCP's are marked", threshold);
  cmd.AddValue("seed", "run of the random numbers", seed);
  cmd.AddValue("window", "initial window, segments", window);
  cmd.AddValue("every", "segments per acknowledgement", every);
  cmd.AddValue("delay", "s, longest time an acknowledgement is withheld", delay);
  cmd.AddValue("rate", "bit/s of 1500 B packets", rate);
  cmd.AddValue("rtt", "s, without transmission", rtt);
  cmd.AddValue("jitter", "s within which the answers begin", jitter);
  cmd.AddValue("spread", "s, up to which a host takes over each packet", Cable::spread);
  cmd.AddValue("minrto", "s, smallest retransmission timeout", minrto);
  cmd.AddValue("sack", "selective acknowledgements", sack);
  cmd.AddValue("stamps", "timestamps", stamps);
  cmd.AddValue("recovery", "loss recovery", recovery);
  cmd.AddValue("law", "congestion control", law);
  cmd.AddValue("limit", "s simulated at most", limit);
  cmd.AddValue("trace", "what happens, on standard error", tracing);
  cmd.Parse(argc, argv);
  RngSeedManager::SetSeed(1); RngSeedManager::SetRun(seed);
  dctcp = law == "ns3::TcpDctcp";
  timeouts.assign(degree, 0);
  const uint32_t payload = stamps ? 1448 : 1460;  // 1500 B of IP packet in either case
  Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue(law));
  Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue(recovery));
  Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(sack));
  Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(stamps));
  Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(Seconds(minrto)));
  Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(1)));
  Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(payload));
  Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(window));
  Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(every));
  Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(Seconds(delay)));
  Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 25));
  Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 25));

  NodeContainer hosts, middle; hosts.Create(degree + 1); middle.Create(1);
  InternetStackHelper stack; stack.InstallAll();
  Cable::draw = CreateObject<UniformRandomVariable>();
  Ipv4AddressHelper address("10.0.0.0", "255.255.255.252");
  Ipv4StaticRoutingHelper routing;
  TrafficControlHelper none;
  Ptr<NetDevice> port;
  Ipv4Address sink;
  for (uint32_t i = 0; i <= degree; i++) {
    Ptr<Cable> cable = CreateObject<Cable>();
    cable->SetAttribute("Delay", TimeValue(Seconds(rtt / 4)));
    // The receiver's port: a device that holds all, or a marking discipline before a device of one packet.
    NetDeviceContainer d(Port(middle.Get(0), cable, rate, i > 0 ? 100000 : dctcp ? 1 : buffer));
    cable->host = Port(hosts.Get(i), cable, rate, 100000);
    d.Add(cable->host);
    Ipv4InterfaceContainer a = address.Assign(d); address.NewNetwork();
    routing.GetStaticRouting(hosts.Get(i)->GetObject<Ipv4>())->SetDefaultRoute(a.GetAddress(0), 1);
    none.Uninstall(d);
    if (i == 0) { port = d.Get(0); sink = a.GetAddress(1); }
  }
  if (dctcp) {
    TrafficControlHelper red;
    // Marks what finds at least MinTh packets in the discipline, that is more than that with the one in the device.
    red.SetRootQueueDisc("ns3::RedQueueDisc", "MaxSize",
                         QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, buffer - 1)), "MinTh", DoubleValue(threshold),
                         "MaxTh", DoubleValue(threshold), "QW", DoubleValue(1), "UseEcn", BooleanValue(true),
                         "UseHardDrop", BooleanValue(false), "Gentle", BooleanValue(false), "MeanPktSize",
                         UintegerValue(1500));
    Ptr<QueueDisc> disc = red.Install(port).Get(0);
    disc->TraceConnectWithoutContext("Drop", MakeCallback(&DroppedItem));
    disc->TraceConnectWithoutContext("Mark", MakeCallback(&Marked));
  } else {
    port->TraceConnectWithoutContext("MacTxDrop", MakeCallback(&Dropped));
    middle.Get(0)->GetObject<TrafficControlLayer>()->TraceConnectWithoutContext("TcDrop", MakeCallback(&Dropped));
  }
  port->TraceConnectWithoutContext("PhyTxBegin", MakeCallback(&Sent));
  const uint32_t total = segments * payload;
  PacketSinkHelper receiver("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 5000));
  ApplicationContainer app = receiver.Install(hosts.Get(0));
  app.Start(Seconds(0));
  app.Get(0)->TraceConnectWithoutContext("Rx", MakeBoundCallback(&Received, uint64_t(total) * degree));
  Ptr<UniformRandomVariable> draw = CreateObject<UniformRandomVariable>();
  for (uint32_t i = 0; i < degree; i++) {
    Ptr<Socket> socket = Socket::CreateSocket(hosts.Get(i + 1), TcpSocketFactory::GetTypeId());
    socket->TraceConnectWithoutContext("HighestRxAck", MakeBoundCallback(&Acknowledged, i, total));
    socket->TraceConnectWithoutContext("RTO", MakeBoundCallback(&Rto, i));
    socket->TraceConnectWithoutContext("Retransmission", MakeCallback(&Resent));
    socket->TraceConnectWithoutContext("CongState", MakeBoundCallback(&State, i));
    socket->TraceConnectWithoutContext("CongestionWindow", MakeBoundCallback(&Window, i));
    socket->TraceConnectWithoutContext("BytesInFlight", MakeBoundCallback(&Flight, i));
    socket->TraceConnectWithoutContext("Tx", MakeBoundCallback(&Transmit, i));
    Simulator::Schedule(Seconds(0.1 + 0.002 * i),
                        [=] { socket->Connect(InetSocketAddress(sink, 5000)); });
    Simulator::Schedule(Seconds(START + draw->GetValue(0, jitter)),
                        // The end of the connection rides on the last segment, which is therefore acknowledged at once.
                        [=] { socket->Send(Create<Packet>(total)); socket->Close(); });
  }
  Simulator::Stop(Seconds(START + limit));
  Simulator::Run();
  uint32_t expired = 0;
  for (uint32_t n : timeouts) expired += n;
  std::cout << "{\"law\": \"" << law << "\", \"degree\": " << degree << ", \"segments\": " << segments << ", \"rtt\": " << rtt
            << ", \"seed\": " << seed << ", \"unfinished\": " << degree - finished << ", \"completion\": " << acknowledged
            << ", \"received\": " << received << ", \"packets\": " << sent << ", \"drops\": " << drops
            << ", \"marks\": " << marks << ", \"resent\": " << resent << ", \"timeouts\": " << expired << "}\n";
  Simulator::Destroy();
}
